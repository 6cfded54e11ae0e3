/** The bar above every page: the workspace on one side, the account on the other. */
import { Button } from '../parts/button/button.tsx';
import { Icon } from '../parts/icon/icon.tsx';
import { Menu } from '../parts/menu/menu.tsx';
import { isReader, session, signOut } from '../rest/session.ts';
import { t } from '../words/words.ts';
import { isKeyHelpOpen } from './keys.tsx';
import { NewMenu } from './new-menu.tsx';
import {
  chooseLanguage,
  chooseTheme,
  language,
  languages,
  singleKeys,
  switchSingleKeys,
  theme,
  themes,
} from './preferences.ts';
import { toUrl } from './router.ts';
import { SearchBox } from './search/search.tsx';
import { WorkspaceSwitcher } from './workspace-switcher.tsx';

export function TopBar() {
  return (
    <header class="top-bar">
      {isReader() ? null : <WorkspaceSwitcher />}
      <span class="top-bar-space" />
      <SearchBox />
      <span class="top-bar-space" />
      <NewMenu />
      <span class="top-bar-keys">
        <Button
          kind="quiet"
          icon="help"
          label={t().keys.title}
          onClick={() => {
            isKeyHelpOpen.value = true;
          }}
        />
      </span>
      <AccountMenu />
    </header>
  );
}

function AccountMenu() {
  const self = session.value;
  if (self == null) return null;
  const { account } = t();
  const rights = self.isAdministrator
    ? account.administrator
    : self.workspaces.length > 0
      ? account.steward(self.workspaces.length)
      : account.reader;
  return (
    <Menu
      label={account.menu(self.name)}
      face={
        <>
          <span class="avatar" data-initial={(self.name[0] ?? '?').toUpperCase()} />
          <span class="top-bar-name">{self.name}</span>
          <Icon name="down" size={16} />
        </>
      }
    >
      {(close) => (
        <>
          <div class="menu-head">
            <p class="muted">{account.signedInAs}</p>
            <p>
              <strong class="top-bar-full">{self.name}</strong>
            </p>
            <p class="muted">{rights}</p>
          </div>
          <hr class="menu-rule" />
          <Choice
            label={account.theme}
            values={themes}
            selected={theme.value}
            nameOf={(each) => account.themes[each]}
            onChoose={chooseTheme}
          />
          <Choice
            label={account.language}
            values={languages}
            selected={language.value}
            nameOf={(each) => t().app.languageNames[each]}
            onChoose={chooseLanguage}
          />
          <label class="menu-item">
            <input
              type="checkbox"
              checked={singleKeys.value}
              onChange={(event) => {
                switchSingleKeys(event.currentTarget.checked);
              }}
            />
            <span>{account.singleKeys}</span>
          </label>
          <hr class="menu-rule" />
          <a class="menu-item" href={toUrl('me')} onClick={close}>
            <Icon name="user" size={18} />
            <span>{t().security.page}</span>
          </a>
          <button type="button" class="menu-item" onClick={() => void signOut()}>
            <Icon name="out" size={18} />
            <span>{account.signOut}</span>
          </button>
        </>
      )}
    </Menu>
  );
}

interface ChoiceProps<V extends string> {
  readonly label: string;
  readonly values: readonly V[];
  readonly selected: V;
  readonly nameOf: (value: V) => string;
  readonly onChoose: (value: V) => void;
}

/** A few values side by side. */
export function Choice<V extends string>({ label, values, selected, nameOf, onChoose }: ChoiceProps<V>) {
  return (
    <fieldset class="choice">
      <legend>{label}</legend>
      <div class="choice-values">
        {values.map((value) => (
          <label key={value} class="choice-value">
            <input type="radio" name={label} checked={value === selected} onChange={() => onChoose(value)} />
            <span>{nameOf(value)}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
