/** Whether the data of a store must be there before the store is saved. */
import type { QueryParameter } from '../../http/request/query.ts';

export const connectParameter: QueryParameter<boolean> = {
  description: 'With the value connect, the data must be there and open: otherwise nothing is stored.',
  schema: { type: 'string', enum: ['connect'] },
  expected: 'connect',
  parse: (value) => (value.trim().toLowerCase() === 'connect' ? true : undefined),
  absent: false,
};
