"""Plans: a dialogue by each recipe about each topic, whose user is drawn once a topic."""

from __future__ import annotations

from assize.simulate._recipes.plan import plans
from assize.simulate._recipes.recipes import RECIPES
from assize.simulate._topics_file import Topic

TOPICS = [Topic(f"t{n}", f"topic {n}") for n in range(30)]
KINDS = ("a beginner", "an expert", "in a hurry")


def test_each_topic_has_a_dialogue_by_each_recipe_with_one_user_and_seeds_of_their_own() -> None:
    found = plans(TOPICS, list(RECIPES.values()), KINDS, seed=3)
    assert len(found) == 30 * 5
    assert found[4].id == "t0-DS5-seed3"
    assert len({one.seed for one in found}) == len(found)
    for topic in TOPICS:
        own = {one.persona for one in found if one.topic is topic}
        assert len(own) == 1
    assert {one.persona for one in found} == set(KINDS)
    assert found == plans(TOPICS, list(RECIPES.values()), KINDS, seed=3)
    assert found != plans(TOPICS, list(RECIPES.values()), KINDS, seed=4)


def test_a_topic_keeps_its_own_persona_and_a_plan_names_its_seed() -> None:
    one, recipes = Topic("t", "x"), [RECIPES["DS1"]]
    assert plans([Topic("t", "x", persona="my aunt")], recipes, KINDS)[0].persona == "my aunt"
    assert plans([one], recipes)[0].persona is None
    assert [plans([one], recipes, seed=seed)[0].id for seed in (0, 9)] == ["t-DS1", "t-DS1-seed9"]
