/** Changes of a layer: which styles draw it, and how clients may use it. */
import { checkPrecondition, type Precondition } from '../../lib/precondition.ts';
import type { Catalog, CatalogTransaction } from '../../records/catalog.ts';
import { chosenStyle, type NamedStyle, type StyleChoice, stylesOfLayer } from '../styles/named-style.ts';
import { alternateStyles, type Layer, layerKind, type StyleReference, suggestedStyle } from './layer.ts';
import { findLayer, type LayerPlace, type LayerView, refused, type Viewer } from './layers.ts';

/** What a client may say of a layer: absent stays, null clears. */
export interface LayerDraft {
  readonly defaultStyle?: StyleChoice | null;
  /** All the others it can be drawn with. */
  readonly styles?: readonly StyleChoice[] | null;
  readonly enabled?: boolean | null;
  readonly advertised?: boolean | null;
  readonly queryable?: boolean | null;
  readonly opaque?: boolean | null;
  readonly path?: string | null;
}

export function changeLayer(
  catalog: Catalog,
  place: LayerPlace,
  viewer: Viewer,
  draft: LayerDraft,
  precondition: Precondition,
): Promise<void> {
  return change(catalog, place, viewer, async (transaction, view) => {
    checkPrecondition(precondition, view.version);
    const { layer, workspace } = view;
    const choose = (choice: StyleChoice) => chosenStyle(transaction, layer, workspace, choice);
    const path = draft.path === undefined ? layer.path : (draft.path ?? undefined);
    const { path: _old, ...rest } = layer;
    return {
      ...rest,
      defaultStyle: await newDefault(transaction, layer, draft.defaultStyle, choose),
      styles:
        draft.styles === undefined
          ? alternateStyles(layer)
          : [...new Set(await Promise.all((draft.styles ?? []).map(choose)))],
      enabled: draft.enabled ?? layer.enabled,
      advertised: draft.advertised ?? layer.advertised ?? true,
      queryable: draft.queryable ?? layer.queryable ?? true,
      opaque: draft.opaque ?? layer.opaque ?? false,
      ...(path === undefined ? {} : { path }),
    };
  });
}

/** Adds a style that exists to those a layer can be drawn with, or makes it the one that draws it by default. */
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
    return options.asDefault
      ? { ...layer, defaultStyle: added }
      : { ...layer, styles: [...new Set([...alternateStyles(layer), added])] };
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
