# Driver for ClientSession of the Python SDK, `mcp` 2.x.   pip install "mcp>=2,<3"
# mcp-conformance --client "python python-mcp.py" (HTTP: the URL is appended; stdio: from MCP_CONFORMANCE_SERVER_COMMAND)
import json
import os
import sys
import traceback
import warnings
from typing import Any

import anyio
from anyio.abc import TaskGroup
from mcp import ClientSession, MCPError, StdioServerParameters, stdio_client, types
from mcp.client.streamable_http import streamable_http_client
from pydantic import TypeAdapter

warnings.simplefilter("ignore")  # the SDK calls everything that 2026-07-28 drops deprecated

FULL_HOST = {
    "roots": [{"uri": "file:///project", "name": "project"}],
    "sampling": {"tools": True},
    "elicitation": {"action": "accept", "url": True},
}


def echo_schema(tools: list[types.Tool]) -> dict[str, Any]:
    schema = next((tool.input_schema for tool in tools if tool.name == "json_schema_2020_12_tool"), None)
    return {"name": "json_schema_echo", "arguments": {"schema": schema}}


OFFICIAL: dict[str, list[dict[str, Any]]] = {
    "initialize": [{"request": "tools/list"}],
    "tools_call": [
        {"request": "tools/list"},
        {"request": "tools/call", "params": {"name": "add_numbers", "arguments": {"a": 5, "b": 3}}},
    ],
    "elicitation-sep1034-client-defaults": [
        {"request": "tools/call", "params": {"name": "test_client_elicitation_defaults", "arguments": {}}}
    ],
    "sse-retry": [
        {"request": "tools/list"},
        {"request": "tools/call", "params": {"name": "test_reconnection", "arguments": {}}},
    ],
    "json-schema-2020-12-preservation": [
        {"request": "tools/list"},
        {"request": "tools/call", "params": echo_schema},
    ],
}

# The session's methods for these take no timeout, and are no more than this.
REQUESTS: dict[str, tuple[type, Any]] = {
    "ping": (types.PingRequest, types.EmptyResult),
    "prompts/list": (types.ListPromptsRequest, types.ListPromptsResult),
    "prompts/get": (types.GetPromptRequest, types.GetPromptResult),
    "resources/list": (types.ListResourcesRequest, types.ListResourcesResult),
    "resources/templates/list": (types.ListResourceTemplatesRequest, types.ListResourceTemplatesResult),
    "resources/read": (types.ReadResourceRequest, types.ReadResourceResult),
    "resources/subscribe": (types.SubscribeRequest, types.EmptyResult),
    "resources/unsubscribe": (types.UnsubscribeRequest, types.EmptyResult),
    "completion/complete": (types.CompleteRequest, types.CompleteResult),
    "logging/setLevel": (types.SetLevelRequest, types.EmptyResult),
}

scenario = os.environ.get("MCP_CONFORMANCE_SCENARIO", "")
context = json.loads(os.environ.get("MCP_CONFORMANCE_CONTEXT") or "{}")
server_command = os.environ.get("MCP_CONFORMANCE_SERVER_COMMAND")
modern = os.environ.get("MCP_CONFORMANCE_PROTOCOL_VERSION", "") >= "2026"
steps = context.get("steps") or OFFICIAL.get(scenario)
settings = context.get("client", {}) if "steps" in context else FULL_HOST


class Unsupported(Exception):
    pass


class Connection:
    def __init__(self) -> None:
        self.ready = anyio.Event()
        self.closing = anyio.Event()
        self.closed = anyio.Event()
        self.error: Exception | None = None


class Driver:
    def __init__(self) -> None:
        self.tasks: TaskGroup
        self.session: ClientSession
        self.connection: Connection | None = None
        self.roots = settings.get("roots")
        self.tools: list[types.Tool] = []
        self.lost = False
        self.failed = False
        self.pending = 0

    # What the server may ask for. The SDK declares what has a callback; elicitation always with form and url.

    async def list_roots(self, _context: Any) -> types.ListRootsResult:
        return types.ListRootsResult.model_validate({"roots": self.roots})

    async def sample(self, _context: Any, params: types.CreateMessageRequestParams) -> Any:
        sampling = settings["sampling"]
        await anyio.sleep(sampling.get("delayMs", 0) / 1000)
        if "throws" in sampling:
            raise RuntimeError(sampling["throws"])
        if "error" in sampling:
            return types.ErrorData.model_validate(sampling["error"])
        models = sampling.get("models") or ["model-of-the-driver"]
        hints = [hint.name for hint in (params.model_preferences and params.model_preferences.hints) or [] if hint.name]
        model = next((model for hint in hints for model in models if hint in model), models[0])
        answer = {
            "role": "assistant",
            "content": {"type": "text", "text": "The answer of the model."},
            "model": model,
            "stopReason": "endTurn",
            **sampling.get("answer", {}),
        }
        return TypeAdapter(types.CreateMessageResult | types.CreateMessageResultWithTools).validate_python(answer)

    async def elicit(self, _context: Any, params: types.ElicitRequestParams) -> types.ElicitResult:
        elicitation = settings["elicitation"]
        if elicitation["action"] != "accept" or isinstance(params, types.ElicitRequestURLParams):
            return types.ElicitResult(action=elicitation["action"])
        content = elicitation.get("content")
        if content is None:  # the form is left as it was shown, with its defaults
            fields = params.requested_schema.get("properties", {})
            content = {name: field["default"] for name, field in fields.items() if "default" in field}
        return types.ElicitResult(action="accept", content=content)

    async def connect(self) -> None:
        self.lost = False
        connection = self.connection = Connection()
        self.tasks.start_soon(self.stay_connected, connection)
        await connection.ready.wait()
        if connection.error:
            self.connection = None
            raise connection.error

    # A task of its own, because the SDK's contexts must be left in the task and in the order that they were entered.
    async def stay_connected(self, connection: Connection) -> None:
        if server_command:
            command, *args = json.loads(server_command)
            transport = stdio_client(StdioServerParameters(command=command, args=args))
        else:
            transport = streamable_http_client(sys.argv[-1])
        sampling = settings.get("sampling")
        with_tools = types.SamplingCapability(tools=types.SamplingToolsCapability())
        try:
            async with transport as streams, ClientSession(
                *streams,
                read_timeout_seconds=60,  # by default the SDK waits for ever
                list_roots_callback=self.list_roots if self.roots is not None else None,
                sampling_callback=self.sample if sampling else None,
                sampling_capabilities=with_tools if sampling and sampling.get("tools") else None,
                elicitation_callback=self.elicit if settings.get("elicitation") else None,
                client_info=types.Implementation(name="python-mcp-driver", version="1.0.0"),
            ) as self.session:
                if modern:
                    await self.session.discover()
                else:
                    await self.session.initialize()
                connection.ready.set()
                await connection.closing.wait()
        except Exception as error:
            connection.error = error
            self.lost = True
        finally:
            connection.ready.set()
            connection.closed.set()

    async def close(self) -> None:
        connection, self.connection = self.connection, None
        if connection:
            connection.closing.set()  # the SDK ends the session, too
            with anyio.move_on_after(10):
                await connection.closed.wait()

    async def every_page(self, params: dict[str, Any], get_page: Any, key: str) -> list[Any]:
        items: list[Any] = []
        seen: set[str] = set()
        while True:
            page = await get_page(params)
            items += getattr(page, key)
            if page.next_cursor is None:
                return items
            if page.next_cursor in seen:
                raise RuntimeError("the server goes round in circles: a cursor came twice")
            seen.add(page.next_cursor)
            params = {**params, "cursor": page.next_cursor}

    async def request(self, step: dict[str, Any]) -> None:
        method, params = step["request"], step.get("params")
        if callable(params):
            params = params(self.tools)
        if "task" in step or method.startswith("tasks/"):
            raise Unsupported  # tasks of 2025-11-25 are no part of this SDK
        timeout = step["timeoutMs"] / 1000 if "timeoutMs" in step else None

        async def on_progress(_progress: float, _total: float | None, _message: str | None) -> None:
            pass

        progress = on_progress if step.get("progress") else None

        async def send(params: dict[str, Any] | None) -> Any:
            if method not in REQUESTS:
                request: Any = types.Request[Any, Any](method=method, params=params)
                return await self.session.send_request(request, types.EmptyResult, timeout, None, progress)
            kind, result = REQUESTS[method]
            request = kind.model_validate({"method": method, **({"params": params} if params is not None else {})})
            return await self.session.send_request(request, result, timeout, None, progress)

        async def list_tools(params: dict[str, Any]) -> types.ListToolsResult:
            return await self.session.list_tools(params=types.PaginatedRequestParams.model_validate(params) if params else None)

        if method == "tools/call":
            meta = params.get("_meta")
            await self.session.call_tool(params["name"], params.get("arguments"), timeout, progress, meta=meta)
        elif method == "tools/list":
            with anyio.fail_after(timeout):
                self.tools = await self.every_page(params or {}, list_tools, "tools")
        elif method == "prompts/list":
            await self.every_page(params or {}, lambda params: send(params or None), "prompts")
        elif method == "resources/list":
            await self.every_page(params or {}, lambda params: send(params or None), "resources")
        elif method == "resources/templates/list":
            await self.every_page(params or {}, lambda params: send(params or None), "resource_templates")
        else:
            await send(params)

    async def perform(self, step: dict[str, Any]) -> None:
        if "pause" in step:
            await anyio.sleep(step["pause"] / 1000)
        elif "reconnect" in step:
            await self.wait_for_others()
            await self.close()
            await self.connect()
        elif "setRoots" in step:
            if self.roots is None:
                raise Unsupported
            self.roots = step["setRoots"]
            await self.session.send_roots_list_changed()
        elif "notify" in step:
            await self.session.send_notification(types.Notification[Any, Any](method=step["notify"], params=step.get("params")))
        elif "request" not in step:
            raise Unsupported
        elif "cancelAfterMs" in step:
            with anyio.move_on_after(step["cancelAfterMs"] / 1000) as scope:
                await self.request(step)
            if scope.cancelled_caught:
                raise RuntimeError("the user cancelled")
        else:
            await self.request(step)

    async def run(self, index: int, step: dict[str, Any]) -> None:
        report: dict[str, Any] = {"step": index, "outcome": "result"}
        try:
            await self.perform(step)
        except Unsupported:
            report["outcome"] = "unsupported"
        except Exception as error:
            self.failed = True
            report |= {"outcome": "error", "message": str(error) or type(error).__name__}
            if isinstance(error, MCPError):
                report["code"] = error.code
                # A session that is gone (404) is not counted: to open a new one is the part of the library that is tested.
                if error.message == "Connection closed":
                    self.lost = True
        print(json.dumps(report), flush=True)

    async def run_meanwhile(self, index: int, step: dict[str, Any]) -> None:
        try:
            await self.run(index, step)
        finally:
            self.pending -= 1

    async def wait_for_others(self) -> None:
        while self.pending:
            await anyio.sleep(0.02)

    async def main(self) -> None:
        async with anyio.create_task_group() as self.tasks:
            await self.connect()
            for index, step in enumerate(steps):
                if self.lost and "pause" not in step and "reconnect" not in step:
                    await self.close()
                    await self.connect()
                if step.get("meanwhile"):
                    self.pending += 1
                    self.tasks.start_soon(self.run_meanwhile, index, step)
                else:
                    await self.run(index, step)
            await self.wait_for_others()
            await self.close()
            self.tasks.cancel_scope.cancel()  # a close that got stuck may not hold us


if not steps:
    sys.exit(127)
driver = Driver()
try:
    anyio.run(driver.main)
except Exception:
    traceback.print_exc()
    sys.exit(1)
sys.exit(1 if driver.failed and "steps" not in context else 0)
