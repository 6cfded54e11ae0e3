/** Changes of a layer: which styles draw it, and how clients may use it. */
import { checkPrecondition, type Precondition } from '../../lib/precondition.ts';
import { problem } from '../../lib/problem.ts';
import type { Catalog, CatalogTransaction } from '../../records/catalog.ts';
import type { Metadata } from '../resources/resource.ts';
import { chosenStyle, type NamedStyle, type StyleChoice, stylesOfLayer } from '../styles/named-style.ts';
import type { LegendPicture, StyleReference } from '../styles/style.ts';
import { alternateStyles, type InterpolationMethod, type Layer, layerKind, suggestedStyle } from './layer.ts';
import type { Attribution, AuthorityUrl, LayerIdentifier } from './layer-remarks.ts';
import { findLayer, type LayerPlace, type LayerView, refused, type Viewer } from './layers.ts';

/** What a client may say of a layer: absent stays, null clears. */
export interface LayerDraft {
  readonly name?: string | null;
  /** The name of what it shows. */
  readonly resource?: string | null;
  readonly defaultStyle?: StyleChoice | null;
  /** All the others it can be drawn with. */
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

/** What map clients are told of a layer, all of which may be absent. */
const remarks = [
  'path',
  'legend',
  'metadata',
  'attribution',
  'authorityURLs',
  'identifiers',
  'defaultWMSInterpolationMethod',
] as const;

type Remarks = Pick<Layer, (typeof remarks)[number]>;

export async function changeLayer(
  catalog: Catalog,
  place: LayerPlace,
  viewer: Viewer,
  draft: LayerDraft,
  precondition: Precondition,
): Promise<{ readonly warnings: readonly string[] }> {
  let warnings: readonly string[] = [];
  await change(catalog, place, viewer, async (transaction, view) => {
    checkPrecondition(precondition, view.version);
    refuseOtherResource(view, draft);
    warnings = aboutName(view, draft);
    const { layer, workspace } = view;
    const choose = (choice: StyleChoice) => chosenStyle(transaction, layer, workspace, choice);
    return {
      ...withoutRemarks(layer),
      ...changedRemarks(layer, draft),
      defaultStyle: await newDefault(transaction, layer, draft.defaultStyle, choose),
      styles:
        draft.styles === undefined
          ? alternateStyles(layer)
          : [...new Set(await Promise.all((draft.styles ?? []).map(choose)))],
      enabled: flagAfter(draft.enabled, layer.enabled, true),
      advertised: flagAfter(draft.advertised, layer.advertised, true),
      queryable: flagAfter(draft.queryable, layer.queryable, true),
      opaque: flagAfter(draft.opaque, layer.opaque, false),
    };
  });
  return { warnings };
}

/** What was sent, else what was there; null goes back to how it was at first. */
function flagAfter(sent: boolean | null | undefined, current: boolean | undefined, initial: boolean): boolean {
  return (sent === undefined ? current : sent) ?? initial;
}

/** A layer shows the same all its life. */
function refuseOtherResource({ layer, resource, workspace }: LayerView, draft: LayerDraft): void {
  const { name } = resource;
  if (draft.resource != null && draft.resource !== name && draft.resource !== `${workspace.name}:${name}`) {
    throw problem('layer-resource-fixed', { name: layer.name, resource: `${workspace.name}:${name}` });
  }
}

function aboutName({ layer, resource, workspace }: LayerView, { name }: LayerDraft): readonly string[] {
  return name == null || name === layer.name || name === `${workspace.name}:${layer.name}`
    ? []
    : [
        `The layer is still called '${layer.name}', as what it shows is: to rename both, change the name of '${workspace.name}:${resource.name}'.`,
      ];
}

function withoutRemarks({
  path: _path,
  legend: _legend,
  metadata: _metadata,
  attribution: _attribution,
  authorityURLs: _authorityURLs,
  identifiers: _identifiers,
  defaultWMSInterpolationMethod: _defaultWMSInterpolationMethod,
  ...layer
}: Layer): Omit<Layer, keyof Remarks> {
  return layer;
}

function changedRemarks(layer: Layer, draft: LayerDraft): Remarks {
  const entries = remarks.map((name) => [name, draft[name] === undefined ? layer[name] : draft[name]] as const);
  return Object.fromEntries(entries.filter(([, value]) => value != null));
}

/**
 * Adds a style that exists to those a layer can be drawn with, or makes it the one that draws it by default; the former
 * default can then be chosen still.
 */
export async function addLayerStyle(
  catalog: Catalog,
  place: LayerPlace,
  viewer: Viewer,
  choice: StyleChoice,
  options: { readonly asDefault: boolean },
): Promise<NamedStyle> {
  let named: NamedStyle | null = null;
  await change(catalog, place, viewer, async (transaction, { layer, workspace }) => {
    const added = await chosenStyle(transaction, layer, workspace, choice);
    named = (await stylesOfLayer(transaction, { ...layer, defaultStyle: added }, workspace)).defaultStyle;
    if (!options.asDefault) {
      return { ...layer, styles: [...new Set([...alternateStyles(layer), added])] };
    }
    const former = [alternateStyles(layer), layer.defaultStyle ?? []].flat();
    return { ...layer, defaultStyle: added, styles: [...new Set(former)].filter((style) => style !== added) };
  });
  return named ?? { name: choice.name, workspace: null };
}

function change(
  catalog: Catalog,
  place: LayerPlace,
  viewer: Viewer,
  work: (transaction: CatalogTransaction, view: LayerView) => Promise<Layer>,
): Promise<void> {
  const { principal, permissions } = viewer;
  return catalog.change(principal, `change layer ${place.name}`, async (transaction) => {
    const view = await findLayer(transaction, place, viewer);
    if (!permissions.administers(view.workspace.name)) {
      throw refused(principal);
    }
    await transaction.update(layerKind, await work(transaction, view));
  });
}

/** Who clears it gets the style that the resource suggests. */
async function newDefault(
  transaction: CatalogTransaction,
  layer: Layer,
  sent: StyleChoice | null | undefined,
  choose: (choice: StyleChoice) => Promise<StyleReference>,
): Promise<StyleReference | null> {
  if (sent === undefined) {
    return layer.defaultStyle;
  }
  return sent === null ? suggestedStyle(transaction, layer) : choose(sent);
}
