/** The location of a published resource in messages. */

export interface ResourceLocation {
  readonly name: string;
  readonly workspace: string;
  readonly store?: string;
}

export function formatResourceLocation({ name, workspace, store }: ResourceLocation): string {
  return store === undefined
    ? `'${name}' in the workspace '${workspace}'`
    : `'${name}' in the store '${store}' of the workspace '${workspace}'`;
}
