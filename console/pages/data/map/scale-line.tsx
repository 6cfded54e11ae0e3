/** The length of a round distance on the ground at the center of the map. */
import { useEffect, useRef } from 'preact/hooks';
import { formatNumber, t } from '../../../words/words.ts';

const MAX_PIXELS = 96;

export function ScaleLine({ metersPerPixel }: { readonly metersPerPixel: number | undefined }) {
  const line = useRef<HTMLSpanElement>(null);
  const meters = metersPerPixel === undefined ? undefined : findRoundLength(metersPerPixel * MAX_PIXELS);
  useEffect(() => {
    if (meters === undefined || metersPerPixel === undefined) return;
    line.current?.style.setProperty('width', `${Math.round(meters / metersPerPixel)}px`);
  }, [meters, metersPerPixel]);
  if (meters === undefined) return null;
  const unit = meters >= 1_000 ? 'kilometer' : 'meter';
  const text = formatNumber(meters >= 1_000 ? meters / 1_000 : meters, { style: 'unit', unit });
  return (
    <span class="scale-line" title={t().mapTools.scale}>
      <span class="unseen">{t().mapTools.scale}: </span>
      <span>{text}</span>
      <span ref={line} class="scale-line-bar" aria-hidden="true" />
    </span>
  );
}

/** 1, 2 or 5 times a power of ten. */
export function findRoundLength(atMost: number): number {
  const power = 10 ** Math.floor(Math.log10(atMost));
  const factor = [5, 2, 1].find((each) => each * power <= atMost) ?? 1;
  return factor * power;
}
