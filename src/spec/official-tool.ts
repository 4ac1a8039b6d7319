/** The tool that the scenario `tools_call` of the official suite has clients call; our server has it where a script says nothing else. */
export const ADD_NUMBERS = {
  name: 'add_numbers',
  description: 'Adds two numbers',
  inputSchema: {
    type: 'object',
    properties: { a: { type: 'number' }, b: { type: 'number' } },
    required: ['a', 'b'],
  },
}
