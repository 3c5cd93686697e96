/** The repository of this package. `npm run owner` sets it here and in the JSON files that n8n reads. */
const REPOSITORY = 'https://github.com/n8n-nodes-site-management/n8n-nodes-site-management';

/** The address of a page. @param page below `docs`, with its anchor */
export const documentation = (page: string) => `${REPOSITORY}/blob/main/docs/${page}`;
