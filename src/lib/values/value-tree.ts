/** An opaque value of a client that is stored without interpretation: text, or nested elements. */

export type ValueTree = string | ValueBranch;

export interface ValueBranch {
  readonly attributes?: Readonly<Record<string, string>>;
  /** The text of an element with attributes; absent if it has members. */
  readonly text?: string;
  /** In order, grouped by name. */
  readonly members: readonly ValueMember[];
}

export interface ValueMember {
  readonly name: string;
  readonly value: ValueTree;
}

/** Returns all members with the name. */
export function listMembersNamed(tree: ValueTree | undefined, name: string): readonly ValueTree[] {
  if (tree === undefined || typeof tree === 'string') {
    return [];
  }
  return tree.members.filter((member) => member.name === name).map(({ value }) => value);
}

/** Returns the trimmed text of the first member with the name; undefined if it is missing or empty. */
export function findMemberText(tree: ValueTree | undefined, name: string): string | undefined {
  const [value] = listMembersNamed(tree, name);
  const text = typeof value === 'string' ? value : value?.text;
  return text?.trim() || undefined;
}
