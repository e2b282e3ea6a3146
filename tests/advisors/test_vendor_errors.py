"""Every error that a vendor documents, or that was seen, ends in its reason.

What a reason means for the status is in `test_failure_reasons`.
"""

import json

import pytest

from majordomus_reasoning.advisors.adapters import find_adapter


def openai(**error):
    return {"error": {"message": "", **error}}


def anthropic(kind, message="", **more):
    return {"type": "error", "error": {"type": kind, "message": message, **more}}


def gemini(code, status, message="", *details):
    return {"error": {"code": code, "status": status, "message": message, "details": details}}


QUOTA_FAILURE = "type.googleapis.com/google.rpc.QuotaFailure"
PER_MINUTE = {"@type": QUOTA_FAILURE, "violations": [{"quotaId": "RequestsPerMinutePerProject"}]}
PER_DAY = {"@type": QUOTA_FAILURE, "violations": [{"quotaId": "RequestsPerDayPerProject"}]}
DELAY = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "34s"}
CHAT = "openai-chat"
MESSAGES = "anthropic-messages"
GENERATE = "gemini-generate"
OLLAMA = "ollama-chat"
LMSTUDIO = "lmstudio-chat"

RESPONSES = [
    # a limit, a quota
    (CHAT, 429, openai(code="rate_limit_exceeded"), "rate_limit"),
    (CHAT, 429, openai(code="slow_down"), "rate_limit"),
    (CHAT, 429, openai(type="insufficient_quota"), "quota_exhausted"),
    (CHAT, 429, openai(code="insufficient_quota"), "quota_exhausted"),
    (CHAT, 429, openai(code="credit_balance_exhausted"), "quota_exhausted"),
    (CHAT, 429, openai(code="organization_spend_limit_exceeded"), "quota_exhausted"),
    (CHAT, 429, openai(code="project_spend_limit_exceeded"), "quota_exhausted"),
    (CHAT, 429, openai(code="organization_usage_limit_exceeded"), "quota_exhausted"),
    (CHAT, 429, openai(message="You exceeded your quota", code="x"), "rate_limit"),
    (CHAT, 429, openai(type="usage_limit_reached"), "rate_limit"),
    (CHAT, 402, openai(message="pay"), "quota_exhausted"),
    (CHAT, 429, "<html>slow down</html>", "rate_limit"),
    (MESSAGES, 429, anthropic("rate_limit_error"), "rate_limit"),
    (
        MESSAGES,
        429,
        anthropic("rate_limit_error", details={"error_code": "enforced_spend_limit_reached"}),
        "quota_exhausted",
    ),
    (MESSAGES, 402, anthropic("billing_error"), "quota_exhausted"),
    (
        MESSAGES,
        400,
        anthropic("invalid_request_error", "Your credit balance is too low to access the API."),
        "quota_exhausted",
    ),
    (GENERATE, 429, gemini(429, "RESOURCE_EXHAUSTED"), "rate_limit"),
    (GENERATE, 429, gemini(429, "RESOURCE_EXHAUSTED", "", PER_MINUTE, DELAY), "rate_limit"),
    (GENERATE, 429, gemini(429, "RESOURCE_EXHAUSTED", "", PER_DAY, DELAY), "quota_exhausted"),
    (
        GENERATE,
        429,
        gemini(429, "RESOURCE_EXHAUSTED", "Quota exceeded, limit: 0, model: m", DELAY),
        "quota_exhausted",
    ),
    (
        GENERATE,
        429,
        gemini(429, "RESOURCE_EXHAUSTED", "Quota exceeded, limit: 10", DELAY),
        "rate_limit",
    ),
    (OLLAMA, 429, {"error": "too many"}, "rate_limit"),
    # a credential, a permission, a region
    (CHAT, 401, openai(code="invalid_api_key"), "credential_refused"),
    (CHAT, 401, "<html>login</html>", "credential_refused"),
    (CHAT, 403, openai(message="You are not allowed"), "permission"),
    (CHAT, 403, openai(code="unsupported_country_region_territory"), "region"),
    (CHAT, 451, openai(), "region"),
    (MESSAGES, 401, anthropic("authentication_error"), "credential_refused"),
    (MESSAGES, 403, anthropic("permission_error"), "permission"),
    (
        GENERATE,
        400,
        gemini(400, "INVALID_ARGUMENT", "", {"reason": "API_KEY_INVALID"}),
        "credential_refused",
    ),
    (GENERATE, 403, gemini(403, "PERMISSION_DENIED"), "permission"),
    (GENERATE, 401, gemini(401, "UNAUTHENTICATED"), "credential_refused"),
    (
        GENERATE,
        400,
        gemini(400, "FAILED_PRECONDITION", "User location is not supported for the API use."),
        "region",
    ),
    (OLLAMA, 401, {"error": "unauthorized", "signin_url": "https://x"}, "credential_refused"),
    # nobody there to answer
    (CHAT, 500, openai(type="server_error"), "server_error"),
    (CHAT, 503, openai(message="overloaded"), "overloaded"),
    (CHAT, 504, "", "server_error"),
    (CHAT, 404, openai(code="model_not_found"), "model_not_found"),
    (CHAT, 404, "404 page not found", "bad_endpoint"),
    (CHAT, 405, "", "bad_endpoint"),
    (CHAT, 302, "<html>moved</html>", "bad_endpoint"),
    (CHAT, 400, "<html>bad</html>", "html_page"),
    (CHAT, 200, "<!doctype html>", "html_page"),
    (MESSAGES, 500, anthropic("api_error"), "server_error"),
    (MESSAGES, 504, anthropic("timeout_error"), "server_error"),
    (MESSAGES, 529, anthropic("overloaded_error"), "overloaded"),
    (MESSAGES, 404, anthropic("not_found_error", "model: x"), "model_not_found"),
    (MESSAGES, 200, anthropic("overloaded_error"), "overloaded"),
    (
        MESSAGES,
        200,
        'event: error\ndata: {"type":"error","error":{"type":"overloaded_error"}}\n\n',
        "overloaded",
    ),
    (GENERATE, 503, gemini(503, "UNAVAILABLE"), "overloaded"),
    (GENERATE, 404, gemini(404, "NOT_FOUND", "models/x is not found"), "model_not_found"),
    (OLLAMA, 404, {"error": "model 'm' not found"}, "model_not_found"),
    (OLLAMA, 404, "404 page not found", "bad_endpoint"),
    (OLLAMA, 502, {"error": "cloud"}, "server_error"),
    (OLLAMA, 503, {"error": "server busy"}, "overloaded"),
    (LMSTUDIO, 200, {"error": "Unexpected endpoint or method. (POST /x)"}, "bad_endpoint"),
    (LMSTUDIO, 404, {"error": {"message": "No models loaded"}}, "model_not_found"),
    (CHAT, 200, {"choices": None, "error": {"code": 502, "message": "x"}}, "server_error"),
    (CHAT, 200, {"choices": None, "error": {"code": 429, "message": "x"}}, "rate_limit"),
    (CHAT, 200, {"choices": [{"error": {"code": 401}}]}, "credential_refused"),
    (CHAT, 200, {"choices": None, "error": {"message": "hm"}}, "unclassified"),
    # the request, for what it holds
    (CHAT, 400, openai(code="context_length_exceeded"), "context_length"),
    (CHAT, 413, "", "context_length"),
    (CHAT, 400, openai(code="unsupported_parameter"), "bad_request"),
    (CHAT, 422, openai(), "bad_request"),
    (CHAT, 400, openai(code="content_filter"), "filtered"),
    (
        MESSAGES,
        400,
        anthropic("invalid_request_error", "prompt is too long: 9 tokens"),
        "context_length",
    ),
    (MESSAGES, 413, anthropic("request_too_large"), "context_length"),
    (
        GENERATE,
        400,
        gemini(400, "INVALID_ARGUMENT", "The input token count exceeds"),
        "context_length",
    ),
    (GENERATE, 400, gemini(400, "INVALID_ARGUMENT", "bad"), "bad_request"),
    (LMSTUDIO, 400, {"error": "'response_format.type' must be 'json_schema'"}, "bad_request"),
    # withdrawn, mid-stream
    (OLLAMA, 499, {"error": "request canceled"}, "withdrawn"),
    (
        OLLAMA,
        200,
        '{"message":{"content":"{"},"done":false}\n{"error":"something broke"}\n',
        "mid_stream",
    ),
    (
        OLLAMA,
        200,
        '{"message":{"content":"{"},"done":false}\n{"error":"model \'m\' not found"}\n',
        "model_not_found",
    ),
    (CHAT, 200, 'data: {"error":{"message":"hm"}}\n\n', "mid_stream"),
    (CHAT, 200, 'data: {"error":{"code":503}}\n\n', "overloaded"),
    (CHAT, 200, 'data: {"choices":[]}\n\ndata: error?\n\n', "unexpected_stream"),
    (GENERATE, 200, "[{}, {}]", "unexpected_stream"),
    # replies that hold no answer
    (MESSAGES, 200, {"content": [], "stop_reason": "refusal"}, "refused"),
    (MESSAGES, 200, {"content": [{"type": "tool_use"}], "stop_reason": "tool_use"}, "tool_call"),
    (
        MESSAGES,
        200,
        {"content": [{"type": "text", "text": "{"}], "stop_reason": "pause_turn"},
        "truncated",
    ),
    (
        MESSAGES,
        200,
        {"content": [{"type": "thinking"}], "stop_reason": "max_tokens"},
        "thinking_only",
    ),
    (MESSAGES, 200, {"id": "x"}, "no_choices"),
    (GENERATE, 200, {"promptFeedback": {"blockReason": "SAFETY"}}, "filtered"),
    (GENERATE, 200, {"candidates": [{"finishReason": "SAFETY"}]}, "filtered"),
    (GENERATE, 200, {"candidates": [{"finishReason": "RECITATION"}]}, "filtered"),
    (GENERATE, 200, {"candidates": [{"finishReason": "MALFORMED_FUNCTION_CALL"}]}, "tool_call"),
    (GENERATE, 200, {"candidates": [{"content": {"parts": [{"functionCall": {}}]}}]}, "tool_call"),
    (
        GENERATE,
        200,
        {"candidates": [{"content": {"parts": [{"text": "{"}]}, "finishReason": "MAX_TOKENS"}]},
        "truncated",
    ),
    (
        GENERATE,
        200,
        {"candidates": [{"content": {"parts": [{"text": "hm", "thought": True}]}}]},
        "thinking_only",
    ),
    (GENERATE, 200, {"candidates": [{"finishReason": "MAX_TOKENS"}]}, "no_text"),
    (GENERATE, 200, {"candidates": []}, "no_choices"),
    (CHAT, 200, {"choices": [{"message": {"content": [{"type": "refusal"}]}}]}, "refused"),
    (CHAT, 200, {"choices": [{"message": {"content": ""}, "finish_reason": "length"}]}, "no_text"),
    (
        CHAT,
        200,
        {"choices": [{"message": {"content": "x"}, "finish_reason": "length"}]},
        "truncated",
    ),
    (
        CHAT,
        200,
        {"choices": [{"message": {"content": "", "reasoning_content": 'So: {"conclusion": "c"}'}}]},
        "thinking_only",
    ),
    (
        CHAT,
        200,
        {"choices": [{"message": {"content": None, "function_call": {"name": "f"}}}]},
        "tool_call",
    ),
    (OLLAMA, 200, {"message": {"content": ""}, "done": True, "done_reason": "unload"}, "load"),
    (OLLAMA, 200, {"message": {"content": "", "tool_calls": [{}]}, "done": True}, "tool_call"),
    (OLLAMA, 200, {"done": False}, "no_choices"),
]


@pytest.mark.parametrize(("adapter", "http", "body", "reason"), RESPONSES)
def test_a_response_is_told_by_its_cause(adapter, http, body, reason, asking, response, play):
    ending = play(find_adapter(adapter), asking, response(body, http))
    assert ending.reason == reason
    if reason in {"quota_exhausted", "credential_refused", "bad_request"}:
        assert ending.wait is None


def codex(message, kind="turn.failed"):
    event = {"type": kind, "error": {"message": message}, "message": message}
    return {"stdout": json.dumps({"type": "turn.started"}) + "\n" + json.dumps(event)}


def claude(result="", **more):
    told = {"type": "result", "subtype": "success", "is_error": True, "result": result, **more}
    return {"stdout": json.dumps(told)}


def gemini_error(message, code=1, **more):
    told = {"session_id": "s", "error": {"type": "Error", "message": message, "code": code}}
    return {"stderr": "Warning: noise\n" + json.dumps(told, indent=2) + "\n", **more}


CODEX = "codex-exec"
CLAUDE = "claude-cli"
GEMINI = "gemini-cli"

PROCESSES = [
    (CODEX, codex("unexpected status 401 Unauthorized: no, url: x"), "credential_refused"),
    (CODEX, codex("unexpected status 403 Forbidden: no, url: x"), "permission"),
    (CODEX, codex("Quota exceeded. Check your plan and billing details."), "quota_exhausted"),
    (CODEX, codex("You've hit your usage limit. Try again at 7:58 PM."), "rate_limit"),
    (CODEX, codex("stream disconnected before completion: stream closed"), "broken_connection"),
    (CODEX, codex("exceeded retry limit, last status: 502 Bad Gateway"), "server_error"),
    (CODEX, codex("Your input exceeds the context window of this model."), "context_length"),
    (CODEX, codex("The model `m` does not exist or you do not have access"), "model_not_found"),
    (CODEX, codex("unexpected status 400 Bad Request: no"), "bad_request"),
    (CODEX, codex("something else"), "client_failed"),
    (
        CODEX,
        codex("Reconnecting... 2/5 (unexpected status 502 Bad Gateway)", "error"),
        "server_error",
    ),
    (
        CODEX,
        {"stderr": 'Error loading config.toml: `wire_api = "chat"` is no longer supported'},
        "config",
    ),
    (CODEX, {"stderr": "error: unexpected argument '--ephemeral' found"}, "config"),
    (CODEX, {"stderr": "Reading additional input from stdin...", "timed_out": True}, "stdin_open"),
    (CODEX, {"timed_out": True}, "deadline"),
    (CLAUDE, claude("API Error: Request rejected", api_error_status=401), "credential_refused"),
    (CLAUDE, claude("no", api_error_status=403), "permission"),
    (CLAUDE, claude("Invalid API key · Fix external API key"), "credential_refused"),
    (CLAUDE, claude("OAuth token has expired"), "credential_refused"),
    (CLAUDE, claude("Credit balance is too low"), "quota_exhausted"),
    (CLAUDE, claude("You've hit your session limit · resets 3:50pm (Asia/Tokyo)"), "rate_limit"),
    (CLAUDE, claude("Prompt is too long"), "context_length"),
    (CLAUDE, claude("x", api_error_status=400), "bad_request"),
    (CLAUDE, claude("x", api_error_status=500), "server_error"),
    (CLAUDE, claude("API Error: Connection error.", terminal_reason="api_error"), "no_connection"),
    (CLAUDE, claude("API Error: Unable to connect to API (ECONNREFUSED)"), "no_connection"),
    (CLAUDE, claude("", is_error=False, subtype="error_max_turns"), "truncated"),
    (CLAUDE, claude("x"), "client_failed"),
    (CLAUDE, claude('{"conclusion": "c"}', is_error=False) | {"exit_code": 1}, "client_failed"),
    (CLAUDE, claude("", is_error=False, stop_reason="refusal") | {"exit_code": 0}, "refused"),
    (CLAUDE, claude("{", is_error=False, stop_reason="max_tokens") | {"exit_code": 0}, "truncated"),
    (CLAUDE, {"stderr": "error: unknown option '--tools'"}, "config"),
    (CLAUDE, {"exit_code": 0}, "no_text"),
    (GEMINI, gemini_error("x", 403, exit_code=147), "permission"),
    (GEMINI, gemini_error("x", 429, exit_code=173), "rate_limit"),
    (
        GEMINI,
        gemini_error(json.dumps(gemini(429, "RESOURCE_EXHAUSTED", "", PER_DAY)), 429),
        "quota_exhausted",
    ),
    (
        GEMINI,
        gemini_error(
            "You have exhausted your capacity on this model. Your quota will reset after 4h.", 429
        ),
        "rate_limit",
    ),
    (GEMINI, gemini_error("x", 400, exit_code=144), "bad_request"),
    (GEMINI, gemini_error("User location is not supported", 400), "region"),
    (GEMINI, gemini_error("fetch failed: ECONNREFUSED"), "no_connection"),
    (GEMINI, {"exit_code": 145}, "credential_refused"),
    (GEMINI, {"exit_code": 173}, "rate_limit"),
    (GEMINI, {"exit_code": 244}, "server_error"),
    (GEMINI, {"exit_code": 247}, "overloaded"),
    (
        GEMINI,
        {"exit_code": 41, "stderr": "\x1b[31mPlease set an Auth method\x1b[0m"},
        "no_credential",
    ),
    (GEMINI, {"exit_code": 44}, "config"),
    (GEMINI, {"exit_code": 52}, "config"),
    (GEMINI, {"exit_code": 53}, "truncated"),
    (GEMINI, {"exit_code": 54}, "tool_call"),
    (GEMINI, {"exit_code": 55}, "config"),
    (GEMINI, {"exit_code": 130}, "withdrawn"),
    (GEMINI, {"exit_code": 1, "stderr": "Unknown argument: output-format"}, "config"),
    (
        GEMINI,
        {"exit_code": 0, "stdout": json.dumps({"response": "", "warnings": ["Loop detected"]})},
        "loop_detected",
    ),
    (GEMINI, {"exit_code": 0, "stderr": "Warning: noise"}, "no_text"),
    (
        GEMINI,
        {"timed_out": True, "stderr": "Attempt 1 failed with status 429. Retrying"},
        "rate_limit",
    ),
    (GEMINI, {"timed_out": True, "stderr": "Warning: noise"}, "deadline"),
]


@pytest.mark.parametrize(("adapter", "told", "reason"), PROCESSES)
def test_what_a_client_left_is_told_by_its_cause(adapter, told, reason, asking, left, play):
    exit_code = None if told.get("timed_out") else 1
    ending = play(find_adapter(adapter), asking, left(**{"exit_code": exit_code, **told}))
    assert ending.reason == reason


def test_the_wait_that_a_service_names_is_kept_where_waiting_helps(asking, response, play):
    hint = {"retry-after": "7"}
    for status, wait in [(429, 7), (503, 7), (500, 7), (401, None), (402, None), (400, None)]:
        ending = play(find_adapter(CHAT), asking, response({}, status, hint))
        assert ending.wait == wait


def test_the_wait_of_a_plan_limit_is_read_from_the_clients_words(asking, left, play):
    told = claude("You've hit your session limit · resets 3:50pm (Asia/Tokyo)")
    assert play(find_adapter(CLAUDE), asking, left(**told, exit_code=1)).wait == 84_150
