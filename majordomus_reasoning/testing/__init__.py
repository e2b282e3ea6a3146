"""Public doubles: a checkout that never changes from run to run, and advisors that are scripted.

A test of another package asks over real connections and real processes, and nobody's network:

    with ScriptedServer({"openai": [{"answer": {"conclusion": "keep it"}}]}) as server:
        checkout = deterministic_checkout(environment=server.environment)

`ScriptedClients` are the client tools' side of it, `forbid_network` holds the test to loopback.
"""

from majordomus_reasoning.testing.advisors import (
    Said,
    ScriptedAdvisors,
    advisor_state,
    plan_asking,
)
from majordomus_reasoning.testing.checkouts import (
    START,
    TickingClock,
    deterministic_checkout,
    seeded_suffix,
)
from majordomus_reasoning.testing.clients import AskedClient, ScriptedClients, client_tool
from majordomus_reasoning.testing.network import NetworkForbidden, forbid_network
from majordomus_reasoning.testing.server import ScriptedServer

__all__ = [
    "START",
    "AskedClient",
    "NetworkForbidden",
    "Said",
    "ScriptedAdvisors",
    "ScriptedClients",
    "ScriptedServer",
    "TickingClock",
    "advisor_state",
    "client_tool",
    "deterministic_checkout",
    "forbid_network",
    "plan_asking",
    "seeded_suffix",
]
