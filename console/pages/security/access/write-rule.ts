/** Layer rules as requests. */

import type { BatchOperation } from '../../../rest/batch.ts';
import { writeRest } from '../../../rest/cache.ts';
import { type RestReply, withQuery } from '../../../rest/client.ts';
import type { RuleChange } from './layer-rules.ts';

const PATH = '/security/acl/layers';

export function createRuleOperation({ kind, key, after }: RuleChange): BatchOperation {
  if (kind === 'remove') return { method: 'DELETE', path: withQuery(PATH, { rule: key }) };
  return { method: kind === 'add' ? 'POST' : 'PUT', path: PATH, body: { [key]: after.join(',') } };
}

export function writeRule(change: RuleChange): Promise<RestReply<unknown>> {
  const { path, ...request } = createRuleOperation(change);
  return writeRest(path, request);
}
