/** The styles of a layer group: other ways to draw it, which other groups may choose by name. */
import { problem } from '../../lib/problem.ts';
import type { CatalogReader } from '../../records/catalog.ts';
import { formatPrintableName } from '../../records/names.ts';
import type { StyleChoice } from '../styles/named-style.ts';
import { chosenPart, type FoundPart, type GroupContext, type PartChoice, withStyles } from './group-parts.ts';
import { allParts, type GroupStyle, type LayerGroup, layerGroupKind, nameForRefusals } from './layer-group.ts';

/** A style of a group as a client sends it. */
export interface GroupStyleDraft extends Omit<GroupStyle, 'parts'> {
  readonly parts: readonly PartChoice[];
  /** One for each part, null for the default one; none for the default everywhere. */
  readonly styles: readonly (StyleChoice | null)[];
}

interface ChosenGroupStyles {
  readonly groupStyles: readonly GroupStyle[];
  /** What they hold, as far as it may be new to the group. */
  readonly found: readonly FoundPart[];
}

const FIELD = 'layerGroup.layerGroupStyles';

/** How many groups a refusal names. */
const NAMED_USERS = 10;

/** Those that were sent; else those that the group has had. */
export async function groupStylesAfter(
  reader: CatalogReader,
  context: GroupContext,
  sent: readonly GroupStyleDraft[] | null | undefined,
): Promise<ChosenGroupStyles> {
  const { former } = context;
  if (sent === undefined) {
    return { groupStyles: former?.groupStyles ?? [], found: [] };
  }
  const chosen = await chosenGroupStyles(reader, context, sent ?? []);
  if (former !== null) {
    await refuseLostStyles(reader, former, chosen.groupStyles);
  }
  return chosen;
}

async function chosenGroupStyles(
  reader: CatalogReader,
  context: GroupContext,
  drafts: readonly GroupStyleDraft[],
): Promise<ChosenGroupStyles> {
  const groupStyles: GroupStyle[] = [];
  const found: FoundPart[] = [];
  for (const { parts: choices, styles, ...told } of drafts) {
    if (groupStyles.some(({ name }) => name === told.name)) {
      throw wrongStyle(`two of them are named '${formatPrintableName(told.name)}'`);
    }
    if (choices.length === 0) {
      throw wrongStyle(`'${formatPrintableName(told.name)}' holds nothing; name its layers, each a 'published'`);
    }
    const parts: FoundPart[] = [];
    for (const choice of choices) {
      parts.push(await chosenPart(reader, context, choice, FIELD));
    }
    groupStyles.push({ ...told, parts: await withStyles(reader, context, parts, styles, FIELD) });
    found.push(...parts);
  }
  return { groupStyles, found };
}

/** Refuses to take a style from a group that another one draws it in. */
async function refuseLostStyles(reader: CatalogReader, group: LayerGroup, left: readonly GroupStyle[]): Promise<void> {
  const lost = group.groupStyles.filter(({ name }) => !left.some((style) => style.name === name));
  if (lost.length === 0) {
    return;
  }
  const holders = await reader.findByKey(layerGroupKind, 'group', group.id, Number.MAX_SAFE_INTEGER);
  for (const { name } of lost) {
    const users = holders.filter((holder) =>
      allParts(holder).some(({ id, style }) => id === group.id && style === name),
    );
    if (users.length > 0) {
      const blockers = await Promise.all(users.slice(0, NAMED_USERS).map((user) => nameForRefusals(reader, user)));
      throw problem('layer-group-style-in-use', { style: name, name: group.name, blockers, total: users.length });
    }
  }
}

function wrongStyle(reason: string) {
  return problem('layer-group-styles', { reason, field: FIELD });
}
