"""The catalogue: three tables, their references, and what is wrong in them."""

from __future__ import annotations

import pytest

from majordomus_reasoning.core.catalogue import Advisors, Catalogue, Models, Providers, parse
from majordomus_reasoning.errors import CatalogueError

VENDORS = [
    {"id": "acme", "title": "Acme", "inference": "remote", "credential_env": "ACME_KEY"},
    {"id": "free", "title": "Free", "inference": "local"},
]
MODELS = [
    {"id": "big-1", "vendor": "acme", "native_id": "acme/big-1.0", "aliases": ["big"]},
    {"id": "small", "vendor": "free", "native_id": "free/small", "aliases": []},
]


def advisor(name: str = "one", **changes) -> dict:
    facts = {"title": "One", "transport": "cli", "adapter": "x", "executable": "one"}
    declared = {"id": name, **facts, "capabilities": ["code_review"], **changes}
    return {field: value for field, value in declared.items() if value is not None}


CLIENT = {"title": "C", "vendor": "free"}


def catalogue(
    *advisors,
    models=MODELS,
    vendors=VENDORS,
    words=("code_review",),
    peers=None,
    client=CLIENT,
):
    declared = {
        "version": 1,
        "capabilities": [{"id": word, "description": word} for word in words],
        "advisors": list(advisors),
        "peers": peers,
    }
    return Catalogue(
        parse(Advisors, declared, "advisors.yaml"),
        parse(Models, {"version": 1, "vendors": vendors, "models": models}, "models.yaml"),
        parse(
            Providers,
            {"version": 1, "providers": {"client": client}},
            "providers.yaml",
        ),
    )


@pytest.mark.parametrize(
    ("data", "field"),
    [
        ({}, "version"),
        ({"version": 2}, "version"),
        ({"version": 1, "advisers": []}, "advisers"),
        ({"version": 1, "advisors": [advisor(vender="x")]}, "advisors.0.vender"),
        ({"version": 1, "advisors": [advisor(transport="pigeon")]}, "advisors.0.transport"),
        ({"version": 1, "advisors": [advisor(title=None)]}, "advisors.0.title"),
        ({"version": 1, "advisors": [advisor("a/b")]}, "advisors.0.id"),
        ({"version": 1, "advisors": "none"}, "advisors"),
        ({"version": 1, "capabilities": [{"id": "x"}]}, "capabilities.0.description"),
        ({"version": 1, "peers": {"feature": "reviews"}}, "peers.adapter"),
        ([], "the whole file"),
        (None, "the whole file"),
    ],
)
def test_a_broken_file_is_an_error_naming_file_and_field(data, field):
    with pytest.raises(CatalogueError) as caught:
        parse(Advisors, data, "share/advisors.yaml")
    assert (caught.value.file, caught.value.field) == ("share/advisors.yaml", field)
    assert str(caught.value).startswith(f"share/advisors.yaml, field {field}: ")


def test_all_but_the_version_is_optional():
    declared = parse(Advisors, {"version": 1}, "advisors.yaml")
    assert (declared.advisors, declared.capabilities, declared.peers) == ((), (), None)


def test_the_tables_that_other_tools_share_may_hold_unknown_fields():
    shared = {"version": 1, "colour": "blue", "models": [{**MODELS[0], "price": 3}]}
    assert parse(Models, shared, "models.yaml").models[0].id == "big-1"


@pytest.mark.parametrize(
    ("reference", "native"),
    [("big-1", "acme/big-1.0"), ("big", "acme/big-1.0"), ("small", "free/small")],
)
def test_a_model_resolves_by_id_or_alias(reference, native):
    assert catalogue().model(reference).native_id == native


@pytest.mark.parametrize("reference", ["bigger", "acme/big-1.0", "", None])
def test_any_other_reference_resolves_to_nothing(reference):
    assert catalogue().model(reference) is None


@pytest.mark.parametrize(
    ("changes", "source"),
    [
        ({"vendor": "acme", "provider": "client"}, "acme"),
        ({"provider": "client"}, "free"),
        ({"provider": "unknown"}, "x"),
        ({}, "x"),
    ],
)
def test_the_source_is_the_vendor_else_the_vendor_of_the_provider_else_the_adapter(changes, source):
    whole = catalogue(advisor(**changes))
    assert whole.source(whole.advisor("one")) == source


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"capabilities": ["telepathy"]}, "telepathy is not in the vocabulary"),
        ({"provider": "ghost"}, "provider ghost is not in providers.yaml"),
        ({"vendor": "ghost"}, "vendor ghost is not in models.yaml"),
        ({"model": "ghost"}, "model ghost is not in models.yaml"),
        ({"model": "small", "vendor": "acme"}, "of the vendor free, not acme"),
        ({"model": "big", "provider": "client"}, "of the vendor acme, not free"),
        ({"transport": "peer"}, "linked at run time"),
        ({"transport": "api", "vendor": "free"}, "cannot be probed"),
        ({"transport": "api"}, "cannot be probed"),
        ({"executable": None}, "cannot be probed"),
        ({"transport": "local_runtime", "executable": None}, "cannot be probed"),
        ({"executable": "bin/one"}, "never found"),
    ],
)
def test_what_is_wrong_with_an_advisor_is_told_once(changes, message):
    (problem,) = catalogue(advisor(**changes)).diagnostics()
    assert problem.subject == "one"
    assert message in problem.message


@pytest.mark.parametrize(
    ("whole", "subject"),
    [
        (catalogue(advisor(), advisor()), "one"),
        (catalogue(words=("code_review", "code_review")), "code_review"),
        (catalogue(vendors=[*VENDORS, VENDORS[0]]), "acme"),
        (catalogue(models=[*MODELS, MODELS[1]]), "small"),
        (catalogue(models=[*MODELS, {**MODELS[1], "id": "big"}]), "big"),
        (catalogue(models=[{**MODELS[0], "vendor": "ghost"}]), "big-1"),
        (catalogue(client={"title": "C", "vendor": "ghost"}), "client"),
        (
            catalogue(peers={"feature": "reviews", "adapter": "m", "capabilities": ["telepathy"]}),
            "peers",
        ),
    ],
)
def test_what_is_wrong_in_a_table_names_its_subject(whole, subject):
    assert [problem.subject for problem in whole.diagnostics()] == [subject]


def test_a_catalogue_without_fault_has_no_diagnostics():
    fit = [
        advisor("a", transport="api", vendor="acme", model="big", executable=None),
        advisor("b", provider="client"),
        advisor("c", provider="client", model="small"),
        advisor("d", provider="client", vendor="acme", model="big"),
    ]
    assert catalogue(*fit).diagnostics() == ()
