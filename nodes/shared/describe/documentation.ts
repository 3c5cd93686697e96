/** Where this package is developed. `npm run owner` sets it, here and in the texts that n8n reads as they are. */
const REPOSITORY = 'https://github.com/n8n-nodes-site-management/n8n-nodes-site-management';

/** The address of a page. @param page below `docs`, with its anchor */
export const documentation = (page: string) => `${REPOSITORY}/blob/main/docs/${page}`;
