/** Part A 2.2 and 2.14. */
export const accountRoles = ['collaborator', 'administrator', 'co_owner'] as const;
