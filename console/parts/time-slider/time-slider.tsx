/** Chooses one of several times. Play shows one after the other as soon as the page has drawn the last one. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { formatMoment, t } from '../../words/words.ts';
import { Button } from '../button/button.tsx';

interface TimeSliderProps {
  /** In ISO 8601, in order. */
  readonly times: readonly string[];
  /** One of the times; any other value stands for all. */
  readonly value: string;
  /** Called without a time for all. */
  readonly onChange: (time: string | undefined) => void;
  /** Whether the last time is drawn. */
  readonly isReady: boolean;
}

/** A picture stays long enough to be seen. */
const FRAME_MS = 700;

export function TimeSlider({ times, value, onChange, isReady }: TimeSliderProps) {
  const isPlaying = useSignal(false);
  const { timeSlider: words } = t();
  const index = times.indexOf(value);
  useEffect(() => {
    if (!isPlaying.value || !isReady) return;
    const timer = setTimeout(() => onChange(times[(index + 1) % times.length] ?? ''), FRAME_MS);
    return () => clearTimeout(timer);
  }, [isPlaying.value, isReady, index]);
  const text = index < 0 ? words.all : formatMoment(times[index] ?? '');
  return (
    <div class="time-slider" role="group" aria-label={words.label}>
      <Button
        kind="quiet"
        icon={isPlaying.value ? 'pause' : 'play'}
        label={isPlaying.value ? words.pause : words.play}
        onClick={() => {
          isPlaying.value = !isPlaying.peek();
          if (isPlaying.peek() && index < 0) onChange(times[0] ?? '');
        }}
      />
      <input
        type="range"
        aria-label={words.label}
        aria-valuetext={text}
        min={-1}
        max={times.length - 1}
        step={1}
        value={index}
        onInput={(event) => {
          isPlaying.value = false;
          onChange(times[event.currentTarget.valueAsNumber]);
        }}
      />
      <output class="time-slider-value">{text}</output>
      <span class="muted">{index < 0 ? words.count(times.length) : words.position(index + 1, times.length)}</span>
    </div>
  );
}
