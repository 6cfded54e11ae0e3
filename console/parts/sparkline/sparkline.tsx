/** A small line of the last values, without axes: the number beside it has the present value. */

interface SparklineProps {
  readonly values: readonly number[];
  /** The value at the top; by default the greatest value. */
  readonly max?: number | undefined;
  /** The number of values that fill the width. */
  readonly length: number;
  readonly label: string;
}

const WIDTH = 240;
const HEIGHT = 44;
/** Half of the line stays visible at the edges. */
const MARGIN = 1.5;

export function Sparkline({ values, max, length, label }: SparklineProps) {
  const top = Math.max(max ?? 0, ...values) || 1;
  const step = WIDTH / Math.max(1, length - 1);
  const start = WIDTH - (values.length - 1) * step;
  const points = values.map((value, index) => {
    const y = HEIGHT - MARGIN - (Math.max(0, value) / top) * (HEIGHT - 2 * MARGIN);
    return `${(start + index * step).toFixed(1)} ${y.toFixed(1)}`;
  });
  const line = points.length === 0 ? '' : `M${points.join('L')}`;
  return (
    <svg class="sparkline" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={label}>
      {points.length < 2 ? null : <path class="sparkline-area" d={`${line}V${HEIGHT}H${start.toFixed(1)}Z`} />}
      <path class="sparkline-line" d={points.length === 1 ? `${line}h0.1` : line} />
    </svg>
  );
}
