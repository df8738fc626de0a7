import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from s3nmf import S3NMF, topics
from s3nmf.desk.report.subtopics import topics_and_subtopics
from s3nmf.topics import counted_words, topic_words

WORDS = ["graph", "node", "market", "bond", "protein", "gene", "the", "and"]


def some_texts(seed, n=40):
    random = np.random.default_rng(seed)
    texts = [" ".join(random.choice(WORDS, random.integers(1, 9))) for _ in range(n)]
    return texts, np.concatenate([[0, 1, 2], random.integers(-1, 3, n - 3)])


@given(st.integers(0, 10_000))
def test_scores_are_class_tf_idf_of_words_that_are_rare_elsewhere(seed):
    texts, labels = some_texts(seed)
    found = topic_words(texts, labels)
    split = [text.split() for text in texts]
    pairs = list(zip(split, labels, strict=True))
    classes = [[word for text, label in pairs if label == k for word in text] for k in range(3)]
    mean = np.mean([len(words) for words in classes])
    for j, word in enumerate(found.words):
        occurs = sum(words.count(word) for words in classes)
        for k, words in enumerate(classes):
            inside = np.mean([word in text for text, label in pairs if label == k])
            outside = np.mean([word in text for text, label in pairs if label != k])
            score = words.count(word) / len(words) * np.log1p(mean / occurs) if inside > 2 * outside else 0.0
            assert found.scores[k, j] == pytest.approx(score)
            assert (found.inside[k, j], found.outside[k, j]) == (pytest.approx(inside), pytest.approx(outside))


def test_no_list_of_stop_words_is_needed_in_any_language():
    texts = ["die Katze und der Hund", "der Hund, die Katze", "die Anleihe und der Markt", "der Markt, die Anleihe"] * 5
    found = topic_words(texts, np.array([0, 0, 1, 1] * 5))
    assert {one.word for one in found.of(0)} == {"katze", "hund"}
    assert {one.word for one in found.of(1)} == {"anleihe", "markt"}
    assert found.of(0)[0].inside == 1.0
    assert "katze" in found._repr_html_()


@pytest.mark.parametrize("texts", [["1 2 3", "", None, "?"], ["a b", "c", "d", "e"]])
def test_texts_without_a_word_have_none(texts):
    assert str(topic_words(texts, np.array([0, 0, 1, 1]))) == "0: no words of its own\n1: no words of its own"


def test_what_does_not_fit_is_refused():
    with pytest.raises(ValueError, match="There are 2 texts for 3 labels"):
        topic_words(["a", "b"], np.array([0, 0, 1]))
    with pytest.raises(ValueError, match="no text in any cluster"):
        topic_words(["a", "b"], np.array([-1, -1]))


def some_levels():
    """Three clusters on a line, of which the first two are the nearer ones; a text for each point."""
    random = np.random.default_rng(0)
    kinds = np.repeat([0, 1, 2], 80)
    X = random.normal(size=(240, 2)) + np.array([[0, 0], [4, 0], [14, 0]])[kinds]
    own = np.array([["cat", "animal"], ["dog", "animal"], ["bond", "market"]])
    texts = [f"the {own[kind][random.integers(2)]} and {own[kind][random.integers(2)]}" for kind in kinds]
    return X, texts, kinds


@pytest.mark.filterwarnings("ignore::s3nmf.DisconnectedGraphWarning")
def test_levels_are_topics_and_their_subtopics():
    X, texts, _ = some_levels()
    model = S3NMF(3).fit(X)
    first, second = topics_and_subtopics(model.levels_, counted_words(texts))
    whole, alone = (first, second) if first.parts else (second, first)
    assert {"animal"} <= set(whole.words)
    assert {"bond", "market"} == set(alone.words)
    assert alone.parts == ()
    assert {part.words[0] for part in whole.parts} == {"cat", "dog"}
    assert sum(part.size for part in whole.parts) == whole.size
    assert {topic.cluster for topic in (alone, *whole.parts)} == {0, 1, 2}


def test_one_cluster_has_no_subtopics():
    X, texts, _ = some_levels()
    assert topics_and_subtopics(S3NMF(1).fit(X[:80]).levels_, counted_words(texts[:80])) == ()


def test_the_module_has_a_name_for_users():
    assert topics.topic_words is topic_words
