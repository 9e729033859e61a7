import { Button, type ButtonProps, Menu } from '@mantine/core';
import { chooseLanguage, type Language, language, languages } from '../lib/language.ts';
import { IconLanguage } from './icons/tabler.ts';

const other: Language = language === 'fr' ? 'en' : 'fr';

function switchLanguage(): void {
  chooseLanguage(other);
  location.reload();
}

/** Shows the console in the other language. Its label is in that language, for those who do not read this one. */
export const LanguageSwitch = (props: ButtonProps) => (
  <Button variant="subtle" color="gray" size="compact-sm" fw={500} lang={other} onClick={switchLanguage} {...props}>
    {languages[other]}
  </Button>
);

/** The same in a menu, for phones. */
export const LanguageItem = () => (
  <Menu.Item hiddenFrom="sm" lang={other} leftSection={<IconLanguage size={16} />} onClick={switchLanguage}>
    {languages[other]}
  </Menu.Item>
);
