/** A workspace and its namespace: one record, so that they live and die together by construction. */
import type { RecordBase, RecordKind } from './record.ts';

export interface Workspace extends RecordBase {
  readonly kind: 'workspace';
  /** The URI of its namespace, whose prefix is the workspace's name. */
  readonly uri: string;
  /** An isolated workspace may share its URI with others. */
  readonly isolated: boolean;
  readonly metadata: Readonly<Record<string, string>>;
}

/** What qualified names begin with: in their order, `a-b:x` comes before `a:x`. */
export function formatNamePrefix(workspace: string): string {
  return `${workspace}:`;
}

export const workspaceKind: RecordKind<Workspace> = {
  kind: 'workspace',
  keys: {
    // Only these must be unique, and only these are looked for.
    uri: ({ isolated, uri }) => (isolated ? [] : [uri]),
    prefix: ({ name }) => [formatNamePrefix(name)],
  },
  secrets: {},
};
