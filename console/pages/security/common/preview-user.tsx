/** The choice of a user whose view a page shows. */
import { Button } from '../../../parts/button/button.tsx';
import { setQuery } from '../../../shell/router.ts';
import { t } from '../../../words/words.ts';
import { formatUser } from '../../data/layer/map/view-as.ts';

interface PreviewUserProps {
  /** Null while a role is shown. */
  readonly user: string | null;
  readonly class: string;
  /** Without it, only screen readers get the label. */
  readonly hasLabel?: boolean;
}

export function PreviewUser({ user, class: name, hasLabel = false }: PreviewUserProps) {
  const { mapTools: words } = t();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!(event.currentTarget instanceof HTMLFormElement)) return;
    const chosen = String(new FormData(event.currentTarget).get('user') ?? '').trim();
    if (chosen !== '') setQuery({ as: formatUser(chosen) });
  };
  return (
    <form class={`preview-user ${name}`} onSubmit={submit}>
      {hasLabel ? <label for="preview-user">{words.asUserName}</label> : null}
      <div class="preview-user-line">
        <input
          key={user}
          id="preview-user"
          name="user"
          class="input"
          aria-label={hasLabel ? undefined : words.asUserName}
          placeholder={hasLabel ? undefined : words.asUserName}
          defaultValue={user ?? ''}
          required
          autocomplete="off"
        />
        <Button type="submit">{words.showAs}</Button>
      </div>
    </form>
  );
}
