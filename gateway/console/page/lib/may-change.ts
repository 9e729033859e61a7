import { createContext, useContext } from 'react';

/** Whether the viewer may change things. If not, buttons that change something are disabled and say why, or are left out. */
export type Permission = 'may change' | 'buttons disabled' | 'buttons left out';

export const PermissionContext = createContext<Permission>('buttons disabled');

export const usePermission = (): Permission => useContext(PermissionContext);

export const useMayChange = (): boolean => usePermission() === 'may change';
