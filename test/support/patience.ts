// Tests in a real n8n wait with limits of their own; this one is for what has none.
jest.setTimeout(10 * 60_000);
