/** Changes a layer: its styles, and how clients can use it. */
import { checkPrecondition, type Precondition } from '../../lib/problems/precondition.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { Catalog, CatalogTransaction } from '../../records/catalog.ts';
import {
  findSuggestedStyle,
  getAlternateStyles,
  type InterpolationMethod,
  type Layer,
  layerKind,
} from '../kinds/layer.ts';
import type { Attribution, AuthorityUrl, LayerIdentifier } from '../kinds/layer-metadata.ts';
import type { Metadata } from '../kinds/resource.ts';
import type { LegendPicture, StyleReference } from '../kinds/style.ts';
import { createAccessDeniedProblem, findLayer, type LayerLocator, type LayerView, type Viewer } from './layers.ts';
import { listLayerStyles, type NamedStyle, resolveStyleChoice, type StyleChoice } from './named-style.ts';

/** The layer fields that a client can set: an absent field stays unchanged, null clears it. */
export interface LayerDraft {
  readonly name?: string | null;
  /** The name of its resource. */
  readonly resource?: string | null;
  readonly defaultStyle?: StyleChoice | null;
  /** The alternative styles. */
  readonly styles?: readonly StyleChoice[] | null;
  readonly enabled?: boolean | null;
  readonly advertised?: boolean | null;
  readonly queryable?: boolean | null;
  readonly opaque?: boolean | null;
  readonly path?: string | null;
  readonly legend?: LegendPicture | null;
  readonly metadata?: Metadata | null;
  readonly attribution?: Attribution | null;
  readonly authorityURLs?: readonly AuthorityUrl[] | null;
  readonly identifiers?: readonly LayerIdentifier[] | null;
  readonly defaultWMSInterpolationMethod?: InterpolationMethod | null;
}

/** Optional metadata for map clients. */
const optionalFields = [
  'path',
  'legend',
  'metadata',
  'attribution',
  'authorityURLs',
  'identifiers',
  'defaultWMSInterpolationMethod',
] as const;

type OptionalFields = Pick<Layer, (typeof optionalFields)[number]>;

export async function changeLayer(
  catalog: Catalog,
  place: LayerLocator,
  viewer: Viewer,
  { draft, precondition }: { readonly draft: LayerDraft; readonly precondition: Precondition },
): Promise<{ readonly warnings: readonly string[] }> {
  let warnings: readonly string[] = [];
  await writeLayerChange(catalog, place, viewer, async (transaction, view) => {
    checkPrecondition(precondition, view.version);
    checkSameResource(view, draft);
    warnings = collectNameWarnings(view, draft);
    const { layer, workspace } = view;
    const resolveChoice = (choice: StyleChoice) => resolveStyleChoice(transaction, layer, workspace, choice);
    return {
      ...omitOptionalFields(layer),
      ...mergeOptionalFields(layer, draft),
      defaultStyle: await resolveDefaultStyle(transaction, layer, draft.defaultStyle, resolveChoice),
      styles:
        draft.styles === undefined
          ? getAlternateStyles(layer)
          : [...new Set(await Promise.all((draft.styles ?? []).map(resolveChoice)))],
      enabled: mergeFlag(draft.enabled, layer.enabled, true),
      advertised: mergeFlag(draft.advertised, layer.advertised, true),
      queryable: mergeFlag(draft.queryable, layer.queryable, true),
      opaque: mergeFlag(draft.opaque, layer.opaque, false),
    };
  });
  return { warnings };
}

/** Returns the sent value, or the current one if none was sent; null restores the initial value. */
function mergeFlag(sent: boolean | null | undefined, current: boolean | undefined, initial: boolean): boolean {
  return (sent === undefined ? current : sent) ?? initial;
}

/** Rejects a change of the resource, which is fixed for the lifetime of a layer. */
function checkSameResource({ layer, resource, workspace }: LayerView, draft: LayerDraft): void {
  const { name } = resource;
  if (draft.resource != null && draft.resource !== name && draft.resource !== `${workspace.name}:${name}`) {
    throw problem('layer-resource-fixed', { name: layer.name, resource: `${workspace.name}:${name}` });
  }
}

function collectNameWarnings({ layer, resource, workspace }: LayerView, { name }: LayerDraft): readonly string[] {
  return name == null || name === layer.name || name === `${workspace.name}:${layer.name}`
    ? []
    : [
        `The layer keeps the name '${layer.name}' of its resource. To rename both, rename the resource '${workspace.name}:${resource.name}'.`,
      ];
}

function omitOptionalFields({
  path: _path,
  legend: _legend,
  metadata: _metadata,
  attribution: _attribution,
  authorityURLs: _authorityURLs,
  identifiers: _identifiers,
  defaultWMSInterpolationMethod: _defaultWMSInterpolationMethod,
  ...layer
}: Layer): Omit<Layer, keyof OptionalFields> {
  return layer;
}

function mergeOptionalFields(layer: Layer, draft: LayerDraft): OptionalFields {
  const entries = optionalFields.map((name) => [name, draft[name] === undefined ? layer[name] : draft[name]] as const);
  return Object.fromEntries(entries.filter(([, value]) => value != null));
}

/** Adds an existing style to the alternative styles of a layer. A new default leaves the former one among them. */
export async function addLayerStyle(
  catalog: Catalog,
  place: LayerLocator,
  viewer: Viewer,
  options: { readonly choice: StyleChoice; readonly asDefault: boolean },
): Promise<NamedStyle> {
  const { choice } = options;
  let named: NamedStyle | null = null;
  await writeLayerChange(catalog, place, viewer, async (transaction, { layer, workspace }) => {
    const added = await resolveStyleChoice(transaction, layer, workspace, choice);
    named = (await listLayerStyles(transaction, { ...layer, defaultStyle: added }, workspace)).defaultStyle;
    if (!options.asDefault) {
      return { ...layer, styles: [...new Set([...getAlternateStyles(layer), added])] };
    }
    const styles = [getAlternateStyles(layer), layer.defaultStyle ?? [], added].flat();
    return { ...layer, defaultStyle: added, styles: [...new Set(styles)] };
  });
  return named ?? { name: choice.name, workspace: null };
}

function writeLayerChange(
  catalog: Catalog,
  place: LayerLocator,
  viewer: Viewer,
  work: (transaction: CatalogTransaction, view: LayerView) => Promise<Layer>,
): Promise<void> {
  const { principal, permissions } = viewer;
  return catalog.change(principal, `change layer ${place.name}`, async (transaction) => {
    const view = await findLayer(transaction, place, viewer);
    if (!permissions.administers(view.workspace.name)) {
      throw createAccessDeniedProblem(principal);
    }
    await transaction.update(layerKind, await work(transaction, view));
  });
}

/** Clearing the default style restores the one that the resource suggests. */
async function resolveDefaultStyle(
  transaction: CatalogTransaction,
  layer: Layer,
  sent: StyleChoice | null | undefined,
  choose: (choice: StyleChoice) => Promise<StyleReference>,
): Promise<StyleReference | null> {
  if (sent === undefined) {
    return layer.defaultStyle;
  }
  return sent === null ? findSuggestedStyle(transaction, layer) : choose(sent);
}
