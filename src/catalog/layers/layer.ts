/** What a map shows of a published type: which style draws it. It lives in the type, and goes with it. */

import type { RecordBase, RecordKind } from '../../records/record.ts';
import { isBuiltInName } from '../../styling/built-in/built-in-names.ts';
import { qualifiedKey } from '../feature-types/feature-type.ts';

export interface Layer extends RecordBase {
  readonly kind: 'layer';
  readonly workspace: string;
  /** The style that draws it unless a client asks for another; null for data that cannot be drawn. */
  readonly defaultStyle: StyleReference | null;
  /** The other styles it can be drawn with; absent for none. */
  readonly styles?: readonly StyleReference[];
  readonly enabled: boolean;
  /** Absent, as the ones that follow, until somebody changes the layer. */
  readonly advertised?: boolean;
  readonly queryable?: boolean;
  readonly opaque?: boolean;
  readonly path?: string;
}

/** A built-in style by its name, which never changes; any other by the id of its record, so that it may be renamed. */
export type StyleReference = string;

export function alternateStyles({ styles = [] }: Pick<Layer, 'styles'>): readonly StyleReference[] {
  return styles;
}

export const layerKind: RecordKind<Layer> = {
  kind: 'layer',
  keys: (layer) => ({
    qualifiedName: [qualifiedKey(layer.workspace, layer.name)],
    // For listings of a workspace, and for clients that know no more than the name.
    workspace: [layer.workspace],
    name: [layer.name],
    // Built-in styles cannot be deleted, so nobody looks for their layers.
    style: [...new Set([layer.defaultStyle ?? [], alternateStyles(layer)].flat())].filter(
      (reference) => !isBuiltInName(reference),
    ),
  }),
  secrets: [],
};
