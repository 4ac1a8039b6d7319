// Driver for the client of @ai-sdk/mcp (an implementation of its own).   npm install @ai-sdk/mcp@1
// mcp-conformance --client "node ai-sdk.mjs" (HTTP: the URL is appended; stdio: from MCP_CONFORMANCE_SERVER_COMMAND)
import { createMCPClient, ElicitationRequestSchema } from '@ai-sdk/mcp';
import { Experimental_StdioMCPTransport as StdioTransport } from '@ai-sdk/mcp/mcp-stdio';

// The library can do no roots, no sampling and no url elicitation: declared is what it can.
const fullHost = { elicitation: { action: 'accept' } };
const official = {
  initialize: [{ request: 'tools/list' }],
  tools_call: [
    { request: 'tools/list' },
    { request: 'tools/call', params: { name: 'add_numbers', arguments: { a: 5, b: 3 } } },
  ],
  'elicitation-sep1034-client-defaults': [
    { request: 'tools/call', params: { name: 'test_client_elicitation_defaults', arguments: {} } },
  ],
  'sse-retry': [
    { request: 'tools/list' },
    { request: 'tools/call', params: { name: 'test_reconnection', arguments: {} } },
  ],
  'json-schema-2020-12-preservation': [
    { request: 'tools/list' },
    {
      request: 'tools/call',
      params: (tools) => {
        const schema = tools.find((tool) => tool.name === 'json_schema_2020_12_tool')?.inputSchema;
        return { name: 'json_schema_echo', arguments: { schema } };
      },
    },
  ],
};

const scenario = process.env.MCP_CONFORMANCE_SCENARIO;
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}');
const serverCommand = process.env.MCP_CONFORMANCE_SERVER_COMMAND;
const steps = context.steps ?? official[scenario];
const settings = context.steps ? (context.client ?? {}) : fullHost;
if (!steps) process.exit(127);

const meanwhile = [];
const elicitation = settings.elicitation?.form === false ? undefined : settings.elicitation;
let client;
let lost = false; // the connection ended without our doing
let listedTools = [];
let failed = false;

// Filling in the defaults of a form is left to the host.
function answerElicitation({ params }) {
  const { action, content } = elicitation;
  if (action !== 'accept') return { action };
  const fields = Object.entries(params.requestedSchema.properties ?? {}).filter(([, field]) => 'default' in field);
  return { action, content: content ?? Object.fromEntries(fields.map(([name, field]) => [name, field.default])) };
}

async function connect() {
  let transport;
  if (serverCommand) {
    const [command, ...args] = JSON.parse(serverCommand);
    transport = new StdioTransport({ command, args });
  } else {
    transport = { type: 'http', url: process.argv.at(-1) };
  }
  const capabilities = elicitation ? { elicitation: elicitation.declare === 'empty' ? {} : { form: {} } } : {};
  lost = false;
  client = undefined;
  client = await createMCPClient({
    transport,
    capabilities,
    clientName: 'ai-sdk-driver',
    initializationOptions: { timeout: 60_000 }, // by default it waits for ever
    onUncaughtError: (error) => console.error(`onUncaughtError: ${String(error?.message).slice(0, 200)}`),
  });
  if (elicitation) client.onElicitationRequest(ElicitationRequestSchema, answerElicitation);
}

// The library lists one page for one call.
async function everyPage(list, key, params, options) {
  const items = [];
  const seen = new Set();
  let cursor = params?.cursor;
  do {
    const page = await list({ params: cursor === undefined ? params : { ...params, cursor }, options });
    items.push(...page[key]);
    cursor = page.nextCursor;
    if (seen.has(cursor)) throw new Error('the server goes round in circles: a cursor came twice');
    seen.add(cursor);
  } while (cursor !== undefined);
  return items;
}

async function request(method, params, options) {
  switch (method) {
    case 'tools/list':
      listedTools = await everyPage((p) => client.listTools(p), 'tools', params, options);
      return listedTools;
    case 'tools/call': {
      // A tool is called through an object that is made of its definition.
      const listed = listedTools.find((tool) => tool.name === params.name);
      const definition = listed ?? { name: params.name, inputSchema: { type: 'object' } };
      const tool = client.toolsFromDefinitions({ tools: [definition] })[params.name];
      return tool.execute(params.arguments ?? {}, { toolCallId: params.name, messages: [], abortSignal: options.signal });
    }
    case 'prompts/list':
      return everyPage((p) => client.experimental_listPrompts(p), 'prompts', params, options);
    case 'prompts/get':
      return client.experimental_getPrompt({ ...params, options });
    case 'resources/list':
      return everyPage((p) => client.listResources(p), 'resources', params, options);
    case 'resources/templates/list':
      return client.listResourceTemplates({ options }); // the first page only: it takes no cursor
    case 'resources/read':
      return client.readResource({ ...params, options });
    case 'completion/complete':
      return client.complete({ ...params, options });
    default:
      return 'unsupported';
  }
}

async function perform(step) {
  if (step.pause !== undefined) return new Promise((resolve) => setTimeout(resolve, step.pause));
  if (step.reconnect) {
    await Promise.all(meanwhile);
    await client?.close();
    return connect();
  }
  if (!step.request || step.task || step.progress) return 'unsupported';

  // Calls of tools take no time limit, but a signal, and the default is to wait for ever.
  const user = new AbortController();
  const limit = setTimeout(() => user.abort(new Error('timed out')), step.timeoutMs ?? 60_000);
  let cancel;
  if (step.cancelAfterMs !== undefined) {
    cancel = setTimeout(() => user.abort(new Error('the user cancelled')), step.cancelAfterMs);
  }
  const params = typeof step.params === 'function' ? step.params(listedTools) : step.params;
  try {
    return await request(step.request, params, { signal: user.signal });
  } catch (error) {
    // A session that is gone (404) is not counted here: to open a new one is the part of the library that is tested.
    if (/closed client|Connection closed/.test(error.message)) lost = true;
    throw error;
  } finally {
    clearTimeout(limit);
    clearTimeout(cancel);
  }
}

async function run(step, index) {
  const report = { step: index };
  try {
    report.outcome = (await perform(step)) === 'unsupported' ? 'unsupported' : 'result';
  } catch (error) {
    failed = true;
    const code = Number.isInteger(error.code) ? error.code : undefined;
    Object.assign(report, { outcome: 'error', code, message: [error.message, error.cause?.message].filter(Boolean).join(': ') });
  }
  console.log(JSON.stringify(report));
}

async function close() {
  // A server that doesn't answer may not hold us.
  const patience = new Promise((resolve) => setTimeout(resolve, 5000).unref());
  await Promise.race([client?.close(), patience]);
}

try {
  await connect();
  for (const [index, step] of steps.entries()) {
    if (lost && step.pause === undefined && !step.reconnect) await connect();
    const done = run(step, index);
    if (step.meanwhile) meanwhile.push(done);
    else await done;
  }
  await Promise.all(meanwhile);
  await close();
  process.exit(failed && !context.steps ? 1 : 0);
} catch (error) {
  console.error(error);
  await close().catch(() => {});
  process.exit(1);
}
