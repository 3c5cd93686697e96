/** Without both bounds the service looks at the snapshots of the last seven days only. Source: Part B, 4.5. */
export const EVER = {
	'filters[created_at:gte]': '2000-01-01T00:00:00Z',
	'filters[created_at:lte]': '2100-01-01T00:00:00Z',
};

/** What the service calls a snapshot that can be restored. Source: Part B, 2.5. */
export const GOOD = 'succeeded';
