/** Chooses where a style is: in a workspace that the user administers, or global. */
import { useId } from 'preact/hooks';
import { useRest } from '../../rest/cache.ts';
import { session } from '../../rest/session.ts';
import { t } from '../../words/words.ts';

/** Longer lists are searched by typing the first letters in the select. */
const LISTED = 1_000;

interface WorkspaceList {
  readonly workspaces: '' | { readonly workspace: readonly { readonly name: string }[] };
}

export function WorkspaceChoice({ selected }: { readonly selected: string | undefined }) {
  const id = useId();
  const self = session.value;
  const { fields } = t().styles;
  const listed = useRest<WorkspaceList>(self?.isAdministrator ? `/workspaces?limit=${LISTED}` : undefined);
  const workspaces = listed.data?.body.workspaces;
  const names = self?.isAdministrator
    ? workspaces === undefined || workspaces === ''
      ? []
      : workspaces.workspace.map(({ name }) => name)
    : (self?.workspaces ?? []);
  // The selected workspace is there before the list is read.
  const all = [...new Set([...(selected === undefined ? [] : [selected]), ...names])];
  return (
    <div class="field">
      <label for={id}>{fields.workspace}</label>
      <select id={id} name="workspace" class="input" defaultValue={selected ?? ''}>
        {self?.isAdministrator ? <option value="">{fields.everywhere}</option> : null}
        {all.map((name) => (
          <option key={name} value={name} selected={name === selected}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}
