/** Formats numbers for display: binary sizes, percentages and clock times. */
import type { Metric } from '../../operations/system/metrics.ts';

const sizes = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const;

export function formatMetricValue({ available, unit, value }: Metric): string {
  if (!available || typeof value === 'string') {
    return available ? String(value) : 'not available';
  }
  switch (unit) {
    case 'bytes':
      return formatBytes(value);
    case 'sec':
      return formatDuration(value);
    case '%':
      return `${value.toFixed(1)} %`;
    default:
      return `${Number.isInteger(value) ? value : value.toFixed(2)} ${unit}`.trimEnd();
  }
}

export function formatBytes(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), sizes.length - 1);
  const scaled = bytes / 1_024 ** power;
  return `${power === 0 ? scaled : scaled.toFixed(1)} ${sizes[power]}`;
}

/** Formats seconds as `3 d 04:05:06`. */
export function formatDuration(seconds: number): string {
  const days = Math.floor(seconds / 86_400);
  const clock = [Math.floor(seconds / 3_600) % 24, Math.floor(seconds / 60) % 60, Math.floor(seconds) % 60];
  const time = clock.map((part) => String(part).padStart(2, '0')).join(':');
  return days === 0 ? time : `${days} d ${time}`;
}
