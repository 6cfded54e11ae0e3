/** What a map shows of a published type: which style draws it. It lives in the type, and goes with it. */
import { qualifiedKey } from './feature-type.ts';
import type { RecordBase, RecordKind } from './record.ts';

export interface Layer extends RecordBase {
  readonly kind: 'layer';
  readonly workspace: string;
  /** The name of the style that draws it unless a client asks for another; null for data that cannot be drawn. */
  readonly defaultStyle: string | null;
  readonly enabled: boolean;
}

export const layerKind: RecordKind<Layer> = {
  kind: 'layer',
  keys: (layer) => ({
    qualifiedName: [qualifiedKey(layer.workspace, layer.name)],
    // For listings of a workspace, and for clients that know no more than the name.
    workspace: [layer.workspace],
    name: [layer.name],
  }),
  secrets: [],
};
