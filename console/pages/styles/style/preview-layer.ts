/** The layer that the map shows: that of the address, one that uses the style, or the first of all. */
import { useRest } from '../../../rest/cache.ts';
import { withQuery } from '../../../rest/client.ts';
import type { LayerList } from '../../../rest/types.ts';
import { address } from '../../../shell/router.ts';
import { getCollectionPath, type StyleList, type StylePlace } from '../style-documents.ts';

/** Names that contain the name of the style come before it. */
const SEARCHED = 200;

export function usePreviewLayer({ workspace, name }: StylePlace): string | undefined {
  const chosen = address.value.query.get('layer') ?? undefined;
  const query = { details: true, limit: SEARCHED, q: name };
  const listed = useRest<StyleList>(chosen === undefined ? withQuery(getCollectionPath(workspace), query) : undefined);
  const styles = listed.data?.body.styles;
  const users = styles === undefined || styles === '' ? [] : styles.style.find((each) => each.name === name)?.layers;
  const isUnused = chosen === undefined && styles !== undefined && (users ?? []).length === 0;
  const first = useRest<LayerList>(isUnused ? '/layers?limit=1' : undefined);
  const layers = first.data?.body.layers;
  return chosen ?? users?.[0] ?? (layers === undefined || layers === '' ? undefined : layers.layer[0]?.name);
}
