/** Faults of whoever runs a task, which look the same whether that is a server or a client. */
import { codes } from '../wire/json-rpc.ts'
import { refusal } from './messages.ts'
import { tampers } from './tampers.ts'

export const POLLING_FAULTS = [
  {
    named: 'puts the task into a member',
    breaks: 'shape' as const,
    kind: 'missing' as const,
    tamper: tampers.result('tasks/get', task => ({ task })),
  },
  {
    named: 'describes another task',
    breaks: 'shape' as const,
    kind: 'wrong-value' as const,
    tamper: tampers.result('tasks/get', task => ({ ...task, taskId: 'another' })),
  },
  {
    named: 'a status of its own',
    breaks: 'shape' as const,
    kind: 'wrong-value' as const,
    tamper: tampers.result('tasks/get', task => ({ ...task, status: 'running' })),
  },
]

export const CANCELLATION_FAULTS = [
  {
    named: 'answers with an empty result',
    breaks: 'before' as const,
    kind: 'wrong-value' as const,
    also: ['shape' as const],
    tamper: tampers.result('tasks/cancel', () => ({})),
  },
  {
    named: 'puts the task into a member',
    breaks: 'shape' as const,
    kind: 'missing' as const,
    also: ['before' as const],
    tamper: tampers.result('tasks/cancel', task => ({ task })),
  },
  {
    named: 'leaves createdAt out',
    breaks: 'shape' as const,
    kind: 'missing' as const,
    tamper: tampers.result('tasks/cancel', ({ createdAt: _, ...task }) => task),
  },
  {
    named: 'only takes note of the wish',
    breaks: 'before' as const,
    kind: 'wrong-value' as const,
    tamper: tampers.result('tasks/cancel', task => ({ ...task, status: 'working' })),
  },
  {
    named: 'refuses what has ended as an invalid request',
    breaks: 'ended' as const,
    kind: 'wrong-code' as const,
    tamper: tampers.answer('tasks/cancel', message =>
      message.error === undefined ? message : refusal(codes.invalidRequest, 'no')(message),
    ),
  },
]
