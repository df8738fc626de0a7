"""
Karate and Les Misérables
=========================

A graph of your own takes the place of the nearest neighbours. These two come with networkx.
"""

import matplotlib.pyplot as plt
import networkx as nx
import numpy as np
from matplotlib.patheffects import withStroke

from s3nmf import S3NMF, choose_n_clusters
from s3nmf.sources import graph_of

COLORS = np.array(["#0072B2", "#E69F00", "#009E73", "#CC79A7"])


def draw(network, nodes, model, ax, title):
    places = nx.spring_layout(network, seed=1, iterations=200)
    shown = {node: places[node] for node in nodes}
    nx.draw_networkx_edges(network, shown, ax=ax, edge_color="0.8")
    sizes = 40 + 160 * model.confidence_
    nx.draw_networkx_nodes(
        network, shown, nodelist=nodes, node_color=COLORS[model.labels_], node_size=sizes, ax=ax, edgecolors="white"
    )
    doubted = [nodes[place] for place in model.confidence_.argsort()[:5]]
    for node in doubted:
        name = ax.annotate(str(node), shown[node], xytext=(7, 7), textcoords="offset points")
        name.set_path_effects([withStroke(linewidth=3, foreground="white")])
    ax.set_title(title)
    ax.set_axis_off()


# %%
# A club that split
# -----------------
# 34 members of a karate club and who met outside of it. The club broke in two, and the sides are known.
club = nx.karate_club_graph()
graph = graph_of(club)
model = S3NMF(n_clusters=2, affinity="precomputed", random_state=0).fit(graph.affinity)
sides = np.array([club.nodes[node]["club"] for node in graph.ids])
for cluster in range(2):
    counts = {str(side): int((sides[model.labels_ == cluster] == side).sum()) for side in np.unique(sides)}
    print(f"cluster {cluster}: {counts}")

figure, ax = plt.subplots(figsize=(7, 5), layout="constrained")
draw(club, list(graph.ids), model, ax, "Small marks are in doubt; the five most doubtful are named")

# %%
# The cast of a novel
# -------------------
# Who appears together in how many chapters of *Les Misérables*. How many groups are there?
novel = nx.les_miserables_graph()
graph = graph_of(novel)
choice = choose_n_clusters(graph.affinity, affinity="precomputed", random_state=0)
print(choice)

# %%
# No number stands out, and it says so. Four fits best.
model = S3NMF(n_clusters=4, affinity="precomputed", random_state=0).fit(graph.affinity)
figure, ax = plt.subplots(figsize=(8, 6), layout="constrained")
draw(novel, list(graph.ids), model, ax, "Four groups; the five names in most doubt")

# sphinx_gallery_thumbnail_number = 2
