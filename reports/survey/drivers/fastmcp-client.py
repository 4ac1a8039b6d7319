# Driver for the client of FastMCP (Python) 4.x.   pip install "fastmcp>=4"
# mcp-conformance --client "python fastmcp-client.py" (HTTP: the URL is appended; stdio: from MCP_CONFORMANCE_SERVER_COMMAND)
import json
import os
import sys
import traceback
import warnings
from typing import Any

import anyio
import mcp_types as types
from anyio.abc import TaskGroup
from fastmcp import Client
from fastmcp.client.elicitation import ElicitResult
from fastmcp.client.transports import StdioTransport, StreamableHttpTransport
from mcp import MCPError
from pydantic import TypeAdapter

warnings.simplefilter("ignore")  # everything that 2026-07-28 drops is called deprecated

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

scenario = os.environ.get("MCP_CONFORMANCE_SCENARIO", "")
context = json.loads(os.environ.get("MCP_CONFORMANCE_CONTEXT") or "{}")
server_command = os.environ.get("MCP_CONFORMANCE_SERVER_COMMAND")
modern = os.environ.get("MCP_CONFORMANCE_PROTOCOL_VERSION", "") >= "2026"
steps = context.get("steps") or OFFICIAL.get(scenario)
settings = context.get("client", {}) if "steps" in context else FULL_HOST


class Unsupported(Exception):
    pass


class Driver:
    def __init__(self) -> None:
        self.tasks: TaskGroup
        self.client: Client[Any] | None = None
        self.roots = settings.get("roots")
        self.tools: list[types.Tool] = []
        self.lost = False
        self.failed = False
        self.pending = 0

    # What the server may ask for. Declared is what has a handler; elicitation always with form and url.

    def list_roots(self, _context: Any) -> list[types.Root]:
        return [types.Root.model_validate(root) for root in self.roots or []]

    def sample(self, _messages: Any, params: types.CreateMessageRequestParams, _context: Any) -> Any:
        sampling = settings["sampling"]
        if "throws" in sampling:
            raise RuntimeError(sampling["throws"])
        if "error" in sampling:
            raise RuntimeError(sampling["error"]["message"])  # the code is the library's
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

    async def elicit(self, _message: str, _type: Any, params: types.ElicitRequestParams, _context: Any) -> ElicitResult[Any]:
        elicitation = settings["elicitation"]
        if elicitation["action"] != "accept" or isinstance(params, types.ElicitRequestURLParams):
            return ElicitResult(action=elicitation["action"])
        content = elicitation.get("content")
        if content is None:  # the form is left as it was shown, with its defaults
            fields = params.requested_schema.get("properties", {})
            content = {name: field["default"] for name, field in fields.items() if "default" in field}
        return ElicitResult(action="accept", content=content)

    async def connect(self) -> None:
        self.lost = False
        if server_command:
            command, *args = json.loads(server_command)
            transport: Any = StdioTransport(command=command, args=args)
        else:
            transport = StreamableHttpTransport(sys.argv[-1])
        sampling = settings.get("sampling")
        with_tools = types.SamplingCapability(tools=types.SamplingToolsCapability())
        client = Client(
            transport,
            mode="auto" if modern else "legacy",  # "auto", the default, asks with server/discover first
            roots=self.list_roots if self.roots is not None else None,
            sampling_handler=self.sample if sampling else None,
            sampling_capabilities=with_tools if sampling and sampling.get("tools") else None,
            elicitation_handler=self.elicit if settings.get("elicitation") else None,
            timeout=60,  # by default it waits for ever
            client_info=types.Implementation(name="fastmcp-driver", version="1.0.0"),
        )
        await client.__aenter__()
        self.client = client

    async def close(self) -> None:
        client, self.client = self.client, None
        if client:
            with anyio.move_on_after(10):
                await client.close()

    async def request(self, step: dict[str, Any]) -> None:
        method, params = step["request"], step.get("params") or {}
        if callable(params):
            params = params(self.tools)
        if "task" in step or (step.get("progress") and method != "tools/call") or not self.client:
            raise Unsupported
        client = self.client
        timeout = step["timeoutMs"] / 1000 if "timeoutMs" in step else None
        if method == "tools/call":

            async def on_progress(_progress: float, _total: float | None, _message: str | None) -> None:
                pass

            await client.call_tool(
                params["name"],
                params.get("arguments"),
                timeout=timeout,
                progress_handler=on_progress if step.get("progress") else None,
                raise_on_error=False,
                meta=params.get("_meta"),
            )
            return
        with anyio.fail_after(timeout):  # only calls take a time limit
            match method:
                case "ping":
                    await client.ping()
                case "tools/list":
                    self.tools = await client.list_tools()  # these go over all pages
                case "prompts/list":
                    await client.list_prompts()
                case "prompts/get":
                    await client.get_prompt(params["name"], params.get("arguments"))
                case "resources/list":
                    await client.list_resources()
                case "resources/templates/list":
                    await client.list_resource_templates()
                case "resources/read":
                    await client.read_resource(params["uri"])
                case "completion/complete":
                    kind = types.PromptReference if params["ref"]["type"] == "ref/prompt" else types.ResourceTemplateReference
                    known = params.get("context", {}).get("arguments")
                    await client.complete(kind.model_validate(params["ref"]), params["argument"], known)
                case "logging/setLevel":
                    await client.set_logging_level(params["level"])
                case _:
                    raise Unsupported

    async def perform(self, step: dict[str, Any]) -> None:
        if "pause" in step:
            await anyio.sleep(step["pause"] / 1000)
        elif "reconnect" in step:
            await self.wait_for_others()
            await self.close()
            await self.connect()
        elif "setRoots" in step or step.get("notify") == "notifications/roots/list_changed":
            if self.roots is None or not self.client:
                raise Unsupported
            self.roots = step.get("setRoots", self.roots)
            await self.client.send_roots_list_changed()
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
            elif self.client and not self.client.is_connected():
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
