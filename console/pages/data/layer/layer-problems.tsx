/** What the doctor finds in a layer, its resource and its store; nothing if all is well. */
import { Remark } from '../../../parts/notice/notice.tsx';
import { useRest } from '../../../rest/cache.ts';
import { rest, withQuery } from '../../../rest/client.ts';
import { findResourcePath } from '../../../rest/resource-path.ts';
import { session } from '../../../rest/session.ts';
import type { Diagnosis } from '../../../rest/types.ts';
import type { LayerView } from './page.tsx';

export function LayerProblems({ view }: { readonly view: LayerView }) {
  const layer = rest`/workspaces/${view.workspace}/layers/${view.name}`;
  const resource = findResourcePath(view.layer)?.replace(/\.json$/, '');
  const store = resource?.split('/').slice(0, -2).join('/');
  const path = store === undefined ? [layer] : [layer, store];
  const read = useRest<Diagnosis>(
    session.value?.isAdministrator ? withQuery('/doctor', { connect: true, path }) : undefined,
  );
  // Other resources of the store have their own pages.
  const problems = (read.data?.body.problems ?? []).filter((problem) =>
    [layer, resource, store].includes(problem.path ?? ''),
  );
  return (
    <>
      {problems.map(({ code, message }) => (
        <Remark key={`${code} ${message}`} kind="warning">
          {message}
        </Remark>
      ))}
    </>
  );
}
