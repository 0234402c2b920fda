-- Pictures in other sizes and formats, made when somebody asked for them: a cache that may be emptied at any time.
create table if not exists storage.image_variants (
  -- The version of the object whose bytes it was made from: a replaced picture never shows an old variant.
  source text not null,
  -- What was made of it, e.g. 640x-cover-80.webp.
  recipe text not null,
  version text not null,
  mimetype text not null,
  etag text not null,
  size bigint not null,
  created_at timestamptz not null default now(),
  primary key (source, recipe)
);
create index if not exists image_variants_created_at on storage.image_variants (created_at);
alter table storage.image_variants enable row level security;
