/** A workspace that the user administers, searched by name. */
import { callRest, withQuery } from '../../rest/client.ts';
import { t } from '../../words/words.ts';
import { Combobox, type ComboboxOption } from './combobox.tsx';

interface WorkspaceFieldProps {
  readonly value: string;
  readonly onChange: (name: string) => void;
  readonly hint?: string | undefined;
  readonly error?: string | undefined;
}

interface WorkspaceList {
  readonly workspaces: '' | { readonly workspace: readonly { readonly name: string }[] };
}

const SHOWN = 30;

/** A name that does not exist is accepted: pages can offer to create it. */
export function WorkspaceField(props: WorkspaceFieldProps) {
  return <Combobox {...props} label={t().publish.workspace} name="workspace" allowsOther search={searchWorkspaces} />;
}

async function searchWorkspaces(q: string, signal: AbortSignal): Promise<readonly ComboboxOption[]> {
  const names = await listWorkspaces(q, signal);
  return names.map((value) => ({ value }));
}

export async function listWorkspaces(q: string, signal?: AbortSignal): Promise<readonly string[]> {
  const path = withQuery('/workspaces', { limit: SHOWN, q: q === '' ? undefined : q });
  const { workspaces } = (await callRest<WorkspaceList>(path, { signal })).body;
  return workspaces === '' ? [] : workspaces.workspace.map(({ name }) => name);
}

/** Of a server without workspaces, and to create one. */
export const FIRST_WORKSPACE = 'data';

/** The workspace of the address, the default, or the first one. */
export async function findUsualWorkspace(current: string | undefined): Promise<string> {
  if (current !== undefined) return current;
  const fallback = await callRest<{ readonly workspace: { readonly name: string } }>('/workspaces/default.json').catch(
    () => undefined,
  );
  return fallback?.body.workspace.name ?? (await listWorkspaces(''))[0] ?? FIRST_WORKSPACE;
}
