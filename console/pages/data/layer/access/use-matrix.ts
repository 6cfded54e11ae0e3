/** What each role may do with a layer, from one request: now, or after a change of a rule that is not stored. */

import { type BatchDocument, type BatchOperation, tryBatch } from '../../../../rest/batch.ts';
import { type RestResult, useRest } from '../../../../rest/cache.ts';
import { type RestReply, withQuery } from '../../../../rest/client.ts';
import type { Explanation, ExplanationDocument } from '../../../security/documents.ts';

/** More roles than a matrix is readable with; others are checked by their users. */
export const MAX_ROLES = 100;

export type Matrix = ReadonlyMap<string, Explanation>;

export function useMatrix(
  layer: string,
  roles: readonly string[] | undefined,
  change?: BatchOperation,
): RestResult<Matrix> {
  const explain = (role: string) => withQuery('/security/acl/explain', { layer, role });
  const shown = roles?.slice(0, MAX_ROLES) ?? [];
  // The answer is remembered below this path, so that changes of rules drop it.
  const path = withQuery('/security/acl/explain', {
    layer,
    roles: JSON.stringify(shown),
    change: change && JSON.stringify(change),
  });
  return useRest<Matrix>({
    path: roles === undefined ? undefined : path,
    keepsLast: true,
    read: async (_, signal) => {
      const reads = shown.map((role): BatchOperation => ({ method: 'GET', path: explain(role) }));
      const reply = await tryBatch(change === undefined ? reads : [change, ...reads], signal);
      return { ...reply, body: readMatrix(reply, shown, change === undefined ? 0 : 1) };
    },
  });
}

function readMatrix({ body }: RestReply<BatchDocument>, roles: readonly string[], skipped: number): Matrix {
  return new Map(
    roles.flatMap((role, index) => {
      const found = body.results[index + skipped]?.body as ExplanationDocument | undefined;
      return found === undefined ? [] : [[role, found.explanation] as const];
    }),
  );
}
