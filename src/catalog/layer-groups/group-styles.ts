/** The styles of a layer group: alternative ways to draw it, which other groups can select by name. */
import { problem } from '../../lib/problems/problem.ts';
import type { CatalogReader } from '../../records/catalog.ts';
import { formatPrintableName } from '../../records/names.ts';
import {
  formatGroupName,
  type GroupStyle,
  type LayerGroup,
  layerGroupKind,
  listAllParts,
} from '../kinds/layer-group.ts';
import type { StyleChoice } from '../layers/named-style.ts';
import { assignStyles, type FoundPart, type GroupContext, type PartChoice, resolvePart } from './group-parts.ts';

/** A group style as a client sends it. */
export interface GroupStyleDraft extends Omit<GroupStyle, 'parts'> {
  readonly parts: readonly PartChoice[];
  /** One for each part, null for the default; empty for the default of every part. */
  readonly styles: readonly (StyleChoice | null)[];
}

interface ResolvedGroupStyles {
  readonly groupStyles: readonly GroupStyle[];
  /** The parts of the styles, which may be new to the group. */
  readonly found: readonly FoundPart[];
}

const FIELD = 'layerGroup.layerGroupStyles';

/** The number of groups that the error lists. */
const MAX_LISTED_USERS = 10;

/** Returns the sent styles, or the current ones if none were sent. */
export async function mergeGroupStyles(
  reader: CatalogReader,
  context: GroupContext,
  sent: readonly GroupStyleDraft[] | null | undefined,
): Promise<ResolvedGroupStyles> {
  const { former } = context;
  if (sent === undefined) {
    return { groupStyles: former?.groupStyles ?? [], found: [] };
  }
  const chosen = await resolveGroupStyles(reader, context, sent ?? []);
  if (former !== null) {
    await checkStylesUnused(reader, former, chosen.groupStyles);
  }
  return chosen;
}

async function resolveGroupStyles(
  reader: CatalogReader,
  context: GroupContext,
  drafts: readonly GroupStyleDraft[],
): Promise<ResolvedGroupStyles> {
  const groupStyles: GroupStyle[] = [];
  const found: FoundPart[] = [];
  for (const { parts: choices, styles, ...fields } of drafts) {
    if (groupStyles.some(({ name }) => name === fields.name)) {
      throw createGroupStyleProblem(`the name '${formatPrintableName(fields.name)}' occurs more than once`);
    }
    if (choices.length === 0) {
      throw createGroupStyleProblem(
        `'${formatPrintableName(fields.name)}' has no layers. Add each of its layers as a 'published'`,
      );
    }
    const parts: FoundPart[] = [];
    for (const choice of choices) {
      parts.push(await resolvePart(reader, context, choice, FIELD));
    }
    groupStyles.push({ ...fields, parts: await assignStyles(reader, context, parts, { styles, field: FIELD }) });
    found.push(...parts);
  }
  return { groupStyles, found };
}

/** Throws if another group uses a style that is removed. */
async function checkStylesUnused(reader: CatalogReader, group: LayerGroup, left: readonly GroupStyle[]): Promise<void> {
  const lost = group.groupStyles.filter(({ name }) => !left.some((style) => style.name === name));
  if (lost.length === 0) {
    return;
  }
  const holders = await reader.findByKey(layerGroupKind, 'group', group.id, Number.MAX_SAFE_INTEGER);
  for (const { name } of lost) {
    const users = holders.filter((holder) =>
      listAllParts(holder).some(({ id, style }) => id === group.id && style === name),
    );
    if (users.length > 0) {
      const blockers = await Promise.all(users.slice(0, MAX_LISTED_USERS).map((user) => formatGroupName(reader, user)));
      throw problem('layer-group-style-in-use', { style: name, name: group.name, blockers, total: users.length });
    }
  }
}

function createGroupStyleProblem(reason: string) {
  return problem('layer-group-styles', { reason, field: FIELD });
}
