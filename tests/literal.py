"""The paper's two algorithms, word for word: dense, slow, and free of every idea that makes the library fast."""

import numpy as np
from sklearn.metrics import normalized_mutual_info_score


def algorithm_2(S, starts, *, tau, max_iter, tol, learned):
    V = [start.copy() for start in starts]
    b = len(V)
    alpha = np.full(b, 1 / b)
    for _ in range(max_iter):
        previous_V, previous_alpha = [v.copy() for v in V], alpha.copy()
        for m in range(b):
            V[m] = V[m] * (S @ V[m] / (V[m] @ V[m].T @ V[m] + 2.2e-16)) ** 0.25
        if learned:
            h = np.array([np.linalg.norm(S - V[m] @ V[m].T, "fro") ** 2 for m in range(b)])
            h = np.maximum(h, 2.2e-14 * np.linalg.norm(S) ** 2)
            alpha = (tau * h) ** (1 / (1 - tau)) / np.sum((tau * h) ** (1 / (1 - tau)))
        step = max(np.abs(V[m] - previous_V[m]).max() for m in range(b))
        if max(step, np.abs(alpha - previous_alpha).max()) < tol:
            break
    return V, alpha


def algorithm_1(W, starts, tau=2.0, max_iter=500, tol=1e-3, *, learned=True, soft=False):
    """Labels and weights of all members in each round, and the agreement of each round."""
    S, history, levels = W, [], []
    for round_starts in starts:
        V, alpha = algorithm_2(S, round_starts, tau=tau, max_iter=max_iter, tol=tol, learned=learned)
        labels = [np.argmax(v, axis=1) for v in V]
        b = len(V)
        pairs = [(i, j) for i in range(b) for j in range(i + 1, b)]
        levels.append(2 / (b * (b - 1)) * sum(normalized_mutual_info_score(labels[i], labels[j]) for i, j in pairs))
        history.append((labels, alpha))
        if levels[-1] > 1 - 1e-12 or (len(levels) > 1 and levels[-1] < levels[-2]):
            break
        M = V if soft else [np.eye(V[0].shape[1])[label] for label in labels]
        S = sum(alpha[m] * M[m] @ M[m].T for m in range(b))
    return history, levels
