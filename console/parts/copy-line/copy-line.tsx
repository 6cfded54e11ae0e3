/** A text with a button that copies it. */
import { t } from '../../words/words.ts';
import { Button } from '../button/button.tsx';
import { showToast } from '../toast/toast.tsx';

interface CopyLineProps {
  readonly label: string;
  readonly text: string;
  /** Shows the text in several lines. */
  readonly isBlock?: boolean;
}

export function CopyLine({ label, text, isBlock = false }: CopyLineProps) {
  const { app } = t();
  return (
    <div class={`copy-line ${isBlock ? 'copy-line-block' : ''}`}>
      {isBlock ? null : <span class="copy-line-label">{label}</span>}
      <pre class="copy-line-text" tabIndex={0} role="group" aria-label={label}>
        <code>{text}</code>
      </pre>
      <Button kind="quiet" icon="copy" label={`${app.copy}: ${label}`} onClick={() => void copyText(text)} />
    </div>
  );
}

/** Without a secure connection, browsers offer no clipboard: the user copies the selected text. */
export async function copyText(text: string): Promise<void> {
  const { app } = t();
  try {
    await navigator.clipboard.writeText(text);
    showToast(app.copied);
  } catch {
    showToast(app.notCopied);
  }
}
