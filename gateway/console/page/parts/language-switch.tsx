import { Button, type ButtonProps, Menu } from '@mantine/core';
import { chooseLanguage, otherLanguage } from '../lib/language.ts';
import { IconLanguage } from './icons/tabler.ts';

function switchLanguage(): void {
  if (otherLanguage) chooseLanguage(otherLanguage.language);
  location.reload();
}

/** Shows the page in its other language, if it has one. The label is in that language, for those who do not read this one. */
export const LanguageSwitch = (props: ButtonProps) =>
  otherLanguage && (
    <Button
      variant="subtle"
      color="gray"
      size="compact-sm"
      fw={500}
      lang={otherLanguage.language}
      onClick={switchLanguage}
      {...props}
    >
      {otherLanguage.name}
    </Button>
  );

/** The same in a menu, for phones. */
export const LanguageItem = () =>
  otherLanguage && (
    <Menu.Item hiddenFrom="sm" lang={otherLanguage.language} leftSection={<IconLanguage size={16} />} onClick={switchLanguage}>
      {otherLanguage.name}
    </Menu.Item>
  );
