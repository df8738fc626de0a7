"""
Sparse text: twenty topics
==========================

Texts as counts of words make a matrix that is almost empty. S3NMF takes it as it is, sparse, and never makes a dense
one. The texts are made here: every topic has words of its own, and all of them share most of their words.
"""

import matplotlib.pyplot as plt
import numpy as np
from scipy import sparse
from sklearn.cluster import KMeans
from sklearn.feature_extraction.text import TfidfTransformer

from s3nmf import S3NMF
from s3nmf.metrics import evaluate

N_TEXTS, N_WORDS, N_TOPICS = 2000, 5000, 20
random = np.random.default_rng(0)
common = 1 / np.arange(1, N_WORDS + 1)  # a few words are everywhere
common /= common.sum()
topic = random.integers(0, N_TOPICS, N_TEXTS)
own_words = [random.choice(N_WORDS, 100, replace=False) for _ in range(N_TOPICS)]
texts = [np.concatenate([random.choice(N_WORDS, 88, p=common), random.choice(own_words[kind], 12)]) for kind in topic]
rows, words = np.repeat(np.arange(N_TEXTS, dtype=np.int32), 100), np.concatenate(texts).astype(np.int32)
counts = sparse.csr_array((np.ones(rows.size), (rows, words)), shape=(N_TEXTS, N_WORDS))
X = TfidfTransformer(sublinear_tf=True).fit_transform(counts)
print(f"{X.shape[0]} texts, {X.shape[1]} words, {X.nnz / np.prod(X.shape):.1%} of the entries are not zero")

# %%
# Texts are near when they share words, however long they are: that is the cosine.
model = S3NMF(n_clusters=N_TOPICS, metric="cosine", random_state=0).fit(X)
labels = KMeans(N_TOPICS, n_init=3, random_state=0).fit_predict(X)
print(f"S3NMF:   ARI {evaluate(topic, model.labels_).ari:.2f}")
print(f"k-means: ARI {evaluate(topic, labels).ari:.2f}")

# %%
# How often two texts are put together by the members of round 1, sorted by cluster. A square is a topic.
from s3nmf.plots import CoAssociationDisplay

figure, ax = plt.subplots(figsize=(5.5, 5), layout="constrained")
CoAssociationDisplay.from_estimator(model, ax=ax)
