export declare const RENDER_SUBJECTS: readonly ["refscope", "literals", "nunjucks", "reader"];
export type RenderSubject = (typeof RENDER_SUBJECTS)[number];
