/** A workspace and its namespace in one record, so that they are created and deleted together. */
import type { RecordBase, RecordKind } from './record.ts';

export interface Workspace extends RecordBase {
  readonly kind: 'workspace';
  /** The URI of its namespace. The prefix is the name of the workspace. */
  readonly uri: string;
  /** An isolated workspace may share its URI with others. */
  readonly isolated: boolean;
  readonly metadata: Readonly<Record<string, string>>;
}

/** The prefix of qualified names. It determines their order: `a-b:x` sorts before `a:x`. */
export function formatNamePrefix(workspace: string): string {
  return `${workspace}:`;
}

export const workspaceKind: RecordKind<Workspace> = {
  kind: 'workspace',
  keys: {
    // Only URIs of workspaces that are not isolated must be unique, and only these are looked up.
    uri: ({ isolated, uri }) => (isolated ? [] : [uri]),
    prefix: ({ name }) => [formatNamePrefix(name)],
  },
  secrets: {},
};
