/** The limits of a credential that has none, as n8n fills in what is missing from one that is stored. */
const defaults = {
	...{ access: 'everything', siteAccess: 'all' },
	...{ maxChanges: '', maxHarmful: '', requestsPerMinute: '' },
};

/** The fields of a credential, with the defaults of those that are not given. */
export const filledIn = <T extends object>(fields: T): typeof defaults & T => ({
	...defaults,
	...fields,
});
