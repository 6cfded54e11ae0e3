/** The query parameter that requires the data of a store to be available before the store is saved. */
import type { QueryParameter } from '../../http/request/query.ts';

export const connectParameter: QueryParameter<boolean> = {
  description: "With the value 'connect', the request is rejected unless the data can be opened.",
  schema: { type: 'string', enum: ['connect'] },
  expected: 'connect',
  parse: (value) => (value.trim().toLowerCase() === 'connect' ? true : undefined),
  absent: false,
};
