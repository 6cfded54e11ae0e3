/** A running upload: the share that is sent, then the time for which the server has been working. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { formatNumber, t } from '../../words/words.ts';
import { Button } from '../button/button.tsx';

interface UploadProgressProps {
  readonly label: string;
  /** From 0 to 1, when everything is sent. */
  readonly share: number;
  readonly onCancel?: () => void;
}

export function UploadProgress({ label, share, onCancel }: UploadProgressProps) {
  const { upload: words, app } = t();
  const isSent = share >= 1;
  return (
    <div class="upload-progress">
      <div role="status">
        <strong>{label}</strong>{' '}
        <span class="muted">
          {isSent ? words.working : words.sending(formatNumber(share, { style: 'percent', maximumFractionDigits: 0 }))}
        </span>
      </div>
      {isSent ? <Seconds /> : null}
      <progress aria-label={label} {...(isSent ? {} : { value: share })} />
      {onCancel === undefined ? null : <Button onClick={onCancel}>{app.cancel}</Button>}
    </div>
  );
}

/** Not announced: a status would be read every second. */
function Seconds() {
  const passed = useSignal(0);
  useEffect(() => {
    const start = Date.now();
    const timer = setInterval(() => {
      passed.value = Math.round((Date.now() - start) / 1_000);
    }, 1_000);
    return () => clearInterval(timer);
  }, []);
  return <span class="upload-seconds muted">{t().upload.seconds(formatNumber(passed.value))}</span>;
}
