/** A value that clients wrote and we keep without knowing what it means: text, or elements within elements. */

export type ValueTree = string | ValueBranch;

export interface ValueBranch {
  readonly attributes?: Readonly<Record<string, string>>;
  /** The text of an element with attributes; there is none beside members. */
  readonly text?: string;
  /** In their order; those of one name stand together. */
  readonly members: readonly ValueMember[];
}

export interface ValueMember {
  readonly name: string;
  readonly value: ValueTree;
}

/** The members of a name, however many there are. */
export function listMembersNamed(tree: ValueTree | undefined, name: string): readonly ValueTree[] {
  if (tree === undefined || typeof tree === 'string') {
    return [];
  }
  return tree.members.filter((member) => member.name === name).map(({ value }) => value);
}

/** The text of the first member of a name, without blanks around it; undefined when there is none, or an empty one. */
export function findMemberText(tree: ValueTree | undefined, name: string): string | undefined {
  const [value] = listMembersNamed(tree, name);
  const text = typeof value === 'string' ? value : value?.text;
  return text?.trim() || undefined;
}
