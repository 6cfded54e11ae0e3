/** Time and size of the last picture of a layer. */
import type { DrawState } from '../../../map/layer-map.ts';
import { formatNumber, t } from '../../../words/words.ts';

export function RequestState({ state }: { readonly state: DrawState | undefined }) {
  if (state === undefined || state.kind === 'failed') return null;
  if (state.kind === 'drawing') return <>{t().map.drawing}</>;
  const kilobytes = formatNumber(state.bytes / 1_000, { maximumFractionDigits: state.bytes < 10_000 ? 1 : 0 });
  return <>{t().map.drawn(formatNumber(Math.round(state.ms)), kilobytes)}</>;
}
