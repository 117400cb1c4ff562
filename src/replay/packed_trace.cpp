// SPDX-License-Identifier: BSD-3-Clause
#include "replay/packed_trace.hpp"

#include <array>

namespace stretto::replay {

PackedTrace::PackedTrace(const std::filesystem::path& file, record::TraceHeader header,
                         const std::string& text)
    : PackedTrace(file, header, text.size()) {
  write_text(text);
}

PackedTrace::PackedTrace(const std::filesystem::path& file, const record::TraceHeader& header,
                         std::uint64_t text_space)
    : header_(header), at_(record::whole_pages(sizeof header + text_space)) {
  out_.exceptions(std::ios::badbit | std::ios::failbit);
  out_.open(file, std::ios::binary);
  header_.major = record::packed_major;
  header_.minor = record::packed_minor;
  header_.header_bytes = static_cast<std::uint32_t>(at_);
  out_.seekp(static_cast<std::streamoff>(at_));
}

void PackedTrace::write_text(const std::string& text) {
  header_.text_bytes = static_cast<std::uint32_t>(text.size());
  out_.seekp(0);
  out_.write(reinterpret_cast<const char*>(&header_), sizeof header_);
  out_.write(text.data(), static_cast<std::streamsize>(text.size()));
  out_.seekp(static_cast<std::streamoff>(at_));
}

void PackedTrace::define(const record::Record& definition, const void* payload, std::uint32_t thread) {
  const std::uint64_t length = record::low_field(definition.bytes_and_context);
  const std::size_t most = record::RecordPacker::max_definition_bytes(length);
  std::byte* const begin = space(thread, most);
  const std::byte* const end = record::RecordPacker::pack_definition(definition, payload, begin);
  Thread& of = threads_[thread];
  of.bytes.resize(of.bytes.size() - most + static_cast<std::size_t>(end - begin));
}

void PackedTrace::append(std::uint32_t thread, const record::Record& record) {
  std::byte* const begin = space(thread, record::packed::max_record_bytes);
  Thread& of = threads_[thread];
  if (of.records++ == 0) of.first_ns = record::low_field(record.begin_and_call);
  const std::byte* const end = of.packer.pack(record, begin);
  of.bytes.resize(of.bytes.size() - record::packed::max_record_bytes + static_cast<std::size_t>(end - begin));
}

std::byte* PackedTrace::space(std::uint32_t thread, std::size_t bytes) {
  if (threads_[thread].bytes.size() + bytes > record::max_packed_block_bytes - record::packed_header_bytes)
    flush(thread);
  std::vector<std::byte>& all = threads_[thread].bytes;
  all.resize(all.size() + bytes);
  return all.data() + all.size() - bytes;
}

void PackedTrace::flush(std::uint32_t thread) {
  Thread& of = threads_[thread];
  if (of.bytes.empty()) return;
  record::BlockHeader header;
  header.thread = thread;
  header.first_ns = of.first_ns;
  header.used_bytes = of.bytes.size() + of.records * record::one_packed_record;
  header.waited_ms = of.wait.waited_ms;
  header.of_ms = of.wait.of_ms;
  constexpr std::size_t polls_bytes = record::packed_header_bytes - sizeof header;
  of.bytes.insert(of.bytes.begin(), polls_bytes, std::byte{0});
  copy(header, of.bytes);
  of.bytes.clear();
  of.records = 0;
  of.packer.begin_block();
}

void PackedTrace::copy(record::BlockHeader header, const std::vector<std::byte>& rest) {
  header.block_bytes = record::whole_pages(sizeof header + rest.size());
  const record::PackedUse use = record::packed_use(header.used_bytes);
  index_.push_back({.offset = at_,
                    .first_ns = header.first_ns,
                    .records = static_cast<std::uint32_t>(use.records + use.polls),
                    .thread = header.thread});
  put(&header, sizeof header);
  put(rest.data(), rest.size());
  pad();
}

void PackedTrace::finish(std::uint64_t end_ns, std::uint64_t lost) {
  for (auto& [thread, of] : threads_) flush(thread);
  record::TraceTrailer trailer;
  for (const record::BlockIndex& one : index_) trailer.records += one.records;
  trailer.blocks = index_.size();
  trailer.index_offset = at_;
  trailer.end_ns = end_ns;
  trailer.lost = lost;
  put(index_.data(), index_.size() * sizeof index_[0]);
  put(&trailer, sizeof trailer);
}

void PackedTrace::close() { out_.close(); }

void PackedTrace::put(const void* data, std::size_t bytes) {
  out_.write(static_cast<const char*>(data), static_cast<std::streamsize>(bytes));
  at_ += bytes;
}

void PackedTrace::pad() {
  constexpr std::array<char, record::trace_page_bytes> zeros{};
  put(zeros.data(), record::whole_pages(at_) - at_);
}

}  // namespace stretto::replay
